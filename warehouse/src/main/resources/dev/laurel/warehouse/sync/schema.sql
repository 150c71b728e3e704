-- What the sync has beside the tables of rows, the same for all databases: its own tables, and the views that people read, whose columns
-- are in docs/warehouse.md. Statements end with a semicolon at the end of a line.

CREATE TABLE IF NOT EXISTS laurel.sync_state (format integer, cluster text, generation integer, loaded boolean, confirmed_ms bigint);

CREATE TABLE IF NOT EXISTS laurel.sync_positions (topic text, part integer, topic_id text, next_offset bigint);

CREATE TABLE IF NOT EXISTS laurel.sync_rulesets (tenant text, version bigint);

CREATE OR REPLACE VIEW laurel.metric_totals AS
SELECT d.tenant, d.user_id, o.key AS metric, o.name AS metric_name, d.day, d.value, d.events
FROM laurel.days d
JOIN laurel.objects o ON o.tenant = d.tenant AND o.number = d.object AND o.kind = 'metric';

CREATE OR REPLACE VIEW laurel.points_totals AS
SELECT d.tenant, d.user_id, o.key AS points_system, o.name AS points_system_name, d.day,
    CAST(d.value AS bigint) AS points
FROM laurel.days d
JOIN laurel.objects o ON o.tenant = d.tenant AND o.number = d.object AND o.kind = 'points';

CREATE OR REPLACE VIEW laurel.points_awards AS
SELECT a.tenant, a.user_id, s.key AS points_system, a.sequence, a.awarded_at, a.points, a.total,
    t.key AS trigger_key, t.name AS trigger_type, a.boosts, a.ruleset_version
FROM laurel.awards a
JOIN laurel.objects s ON s.tenant = a.tenant AND s.number = a.system
LEFT JOIN laurel.objects t ON t.tenant = a.tenant AND t.number = a.trigger;

CREATE OR REPLACE VIEW laurel.achievement_completions AS
SELECT c.tenant, c.user_id, o.key AS achievement, o.name AS achievement_name, c.completed_at
FROM laurel.completions c
JOIN laurel.objects o ON o.tenant = c.tenant AND o.number = c.achievement;

CREATE OR REPLACE VIEW laurel.streak_periods AS
SELECT tenant, user_id, frequency, first_day,
    CASE frequency WHEN 'daily' THEN first_day
        WHEN 'weekly' THEN first_day + 6
        ELSE CAST(CAST(first_day AS date) + INTERVAL '1 month' - INTERVAL '1 day' AS date) END AS last_day,
    status, first_day + met_on AS met_on
FROM (
    SELECT p.tenant, p.user_id, p.frequency, p.status, p.met_on,
        CASE p.frequency WHEN 'daily' THEN DATE '1970-01-01' + p.period
            WHEN 'weekly' THEN DATE '1970-01-01' + (p.period * 7 + u.week_start)
            ELSE CAST(DATE '1970-01-01' + p.period * INTERVAL '1 month' AS date) END AS first_day
    FROM laurel.periods p
    JOIN laurel.users u ON u.tenant = p.tenant AND u.user_id = p.user_id
        AND u.streak_frequency = p.frequency) AS shown;

CREATE OR REPLACE VIEW laurel.leaderboard_rankings AS
SELECT p.tenant, o.key AS leaderboard, o.name AS leaderboard_name,
    CASE WHEN p.run = 0 THEN NULL ELSE DATE '1970-01-01' + p.run END AS run, p.group_values, p.user_id,
    row_number() OVER (PARTITION BY p.tenant, p.board, p.run, p.group_id
        ORDER BY p.value DESC, p.changed_at, p.user_id) AS rank,
    p.value, p.changed_at, p.visibility
FROM laurel.participants p
JOIN laurel.objects o ON o.tenant = p.tenant AND o.number = p.board AND o.is_current
WHERE p.visibility <> 'hidden';

-- A view of another view.
CREATE OR REPLACE VIEW laurel.streak_freezes AS
SELECT tenant, user_id, frequency, first_day, last_day FROM laurel.streak_periods WHERE status = 'frozen';
