-- activityTraces.page: how a datamart's activities went through their analyzers, newest first; 0 and '' ask for all.
-- One that a crash sent through twice is told of once, by its last time.
-- Slots: matching = what the traces share (condition of activity-traces.query.ts).
SELECT
    instance,
    arrival,
    channel_id,
    received_ms,
    started_ms,
    traced_ms,
    outcome,
    steps
FROM activity_traces_v1
WHERE /*{matching}*/
ORDER BY traced_ms DESC, arrival DESC
LIMIT 1 BY instance, arrival
LIMIT {maxResults:UInt32} OFFSET {firstResult:UInt64}
