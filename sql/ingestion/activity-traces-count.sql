-- activityTraces.count: how many traces a question has.
-- Slots: matching = what the traces share (condition of activity-traces.query.ts).
SELECT uniqExact(instance, arrival) AS total
FROM activity_traces_v1
WHERE /*{matching}*/
