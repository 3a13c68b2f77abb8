-- timelines.lastActivities: when each identifier of a user point was last in an activity.
-- A kept activity refers to identifiers by number, in its list and at its root (docs/adr/0006).
SELECT identifier_id, max(bitShiftRight(position, 22)) AS last_ms
FROM (
    SELECT
        position,
        arrayJoin(arrayConcat(
            [
                JSONExtractUInt(activity, '$user_agent_id'),
                JSONExtractUInt(activity, '$user_account_id'),
                JSONExtractUInt(activity, '$email_hash', '$hash')
            ],
            arrayMap(
                held -> JSONExtractUInt(held, transform(
                    JSONExtractString(held, '$type'),
                    ['USER_AGENT', 'USER_ACCOUNT', 'USER_EMAIL'],
                    ['$user_agent_id', '$user_account_id', '$hash'],
                    ''
                )),
                JSONExtractArrayRaw(activity, '$user_identifiers')
            )
        )) AS identifier_id
    FROM activities_v1
    WHERE datamart_id = {datamartId:UInt32} AND user_point_id IN {userPointIds:Array(UInt64)}
)
WHERE identifier_id > 0
GROUP BY identifier_id
