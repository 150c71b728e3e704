package dev.laurel.schemas.admin;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.ruleset.AttributeType;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Origin;
import dev.laurel.schemas.ruleset.RankBy;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetSource.LeaderboardSource;
import dev.laurel.schemas.wire.LeaderboardConfigBody;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Leaderboards (admin-api.md A5). What one may become is for the editor of rulesets to say; here are the words for it. */
final class LeaderboardForm implements ObjectForm {

    private static final String KIND = "leaderboard";
    private static final int MAX_ATTRIBUTES = 100;
    private static final String[] STATUSES = {"inactive", "active", "scheduled", "finished"};
    private static final LeaderboardSource NOTHING = new LeaderboardSource(null, null, null, null, null, null, null,
            null, null, null, null, null, null, null, null);

    @Override
    public void create(SourceDraft draft, String parent, UUID id, Item item) throws BadInputException {
        item.requiredText("name");
        String key = SharedFields.newKey(item, draft.leaderboards, KIND);
        item.require("rankBy");
        LeaderboardSource board = board(draft, id, NOTHING, item);
        checkFinished(draft, board, item);
        draft.leaderboards.put(key, board);
        draft.origins.add(new Origin.Fresh(KIND, key));
    }

    /** A document may bring along one that was finished today. */
    private static void checkFinished(SourceDraft draft, LeaderboardSource board, Item item)
            throws BadInputException {
        String today = draft.now.atZone(ZoneOffset.UTC).toLocalDate().toString();
        boolean isOver = board.end() != null && board.end().compareTo(today) < 0;
        if ("finished".equals(board.status()) && !isOver) {
            throw item.bad("status", "can be finished from the beginning only with an end before today, " + today);
        }
    }

    @Override
    public void update(SourceDraft draft, String parent, String key, Item item) throws BadInputException {
        LeaderboardSource before = draft.leaderboards.get(key);
        checkStatus(draft, before, item);
        LeaderboardSource next = board(draft, before.id(), before, item);
        draft.leaderboards.put(key, next);
        String newKey = SharedFields.text(item, "key", key);
        if (!newKey.equals(key)) {
            SharedFields.unused(newKey, draft.leaderboards, KIND);
            SourceDraft.rename(draft.leaderboards, key, newKey);
            draft.origins.add(new Origin.Renamed(KIND, key, newKey));
        }
    }

    /** A document may say what a leaderboard was before it went on by itself; who asks for a status asks for that one. */
    private static void checkStatus(SourceDraft draft, LeaderboardSource before, Item item) throws BadInputException {
        String wanted = item.word("status", STATUSES);
        for (Leaderboard board : draft.base.leaderboards()) {
            if (wanted != null && board.id().equals(before.id())) {
                String problem = board.statusAt(draft.now)
                        .problemWith(LeaderboardStatus.valueOf(wanted.toUpperCase(Locale.ROOT)));
                if (problem != null) {
                    throw item.bad("status", problem);
                }
            }
        }
    }

    private static LeaderboardSource board(SourceDraft draft, UUID id, LeaderboardSource before, Item item)
            throws BadInputException {
        String status = item.word("status", STATUSES);
        String rankBy = SharedFields.or(item.word("rankBy", "metric", "streak", "points"), before.rankBy());
        boolean isOther = !rankBy.equals(before.rankBy());
        boolean endsRuns = item.isNull("runUnit");
        return new LeaderboardSource(id, SharedFields.text(item, "name", before.name()),
                SharedFields.text(item, "description", before.description()), SharedFields.or(status, before.status()),
                rankBy, SharedFields.metricKey(item, "metricId", draft, isOther ? null : before.metric()),
                SharedFields.pointsKey(item, "pointsSystemId", draft, isOther ? null : before.pointsSystem()),
                maxParticipants(item, before), SharedFields.text(item, "start", before.start()),
                SharedFields.clearable(item, "end", before.end()),
                SharedFields.clearable(item, "startTime", before.startTime()),
                SharedFields.clearable(item, "endTime", before.endTime()), breakdown(draft, item, before),
                endsRuns ? null : SharedFields.or(item.word("runUnit", "day", "month", "year"), before.runUnit()),
                SharedFields.or(item.integer("runInterval"),
                        endsRuns ? null : before.runInterval()));
    }

    private static Integer maxParticipants(Item item, LeaderboardSource before) throws BadInputException {
        Integer given = item.integer("maxParticipants");
        return item.isNull("maxParticipants") ? null : SharedFields.or(given, before.maxParticipants());
    }

    private static List<String> breakdown(SourceDraft draft, Item item, LeaderboardSource before)
            throws BadInputException {
        List<String> ids = item.texts("breakdownAttributes", MAX_ATTRIBUTES);
        if (ids == null) {
            return before.breakdownAttributes();
        }
        var keys = new ArrayList<String>();
        for (int i = 0; i < ids.size(); i++) {
            keys.add(SharedFields.attributeKey(item, "breakdownAttributes[" + i + "]", ids.get(i), AttributeType.USER,
                    draft));
        }
        return keys;
    }

    @Override
    public void delete(SourceDraft draft, String parent, String key) {
        draft.leaderboards.remove(key);
    }

    @Override
    public String keyOf(SourceDraft draft, String parent, UUID id) {
        return draft.leaderboardKey(id);
    }

    @Override
    public String place(String parent, String key) {
        return Place.pointer("leaderboards", key);
    }

    @Override
    public Map<String, String> fieldNames() {
        return Map.of("metric", "metricId", "pointsSystem", "pointsSystemId");
    }

    @Override
    public List<LeaderboardConfigBody> bodies(Ruleset ruleset, UUID parent, Instant now) {
        var ids = new ObjectIds(ruleset);
        return ruleset.leaderboards().stream().sorted(Comparator.comparing(Leaderboard::created))
                .map(board -> body(board, ids, now)).toList();
    }

    private static LeaderboardConfigBody body(Leaderboard board, ObjectIds ids, Instant now) {
        return switch (board.rankBy()) {
            case RankBy.MetricTotal(String key) ->
                body(board, ids, now, "metric", Optional.of(ids.ofMetric(key)), Optional.empty());
            case RankBy.PointsTotal(String key) ->
                body(board, ids, now, "points", Optional.empty(), Optional.of(ids.ofPointsSystem(key)));
            case RankBy.StreakLength() -> body(board, ids, now, "streak", Optional.empty(), Optional.empty());
        };
    }

    private static LeaderboardConfigBody body(Leaderboard board, ObjectIds ids, Instant now, String rankBy,
            Optional<UUID> metric, Optional<UUID> pointsSystem) {
        Optional<LocalDate> end = Optional.ofNullable(board.end());
        return new LeaderboardConfigBody(board.id(), board.name(), board.key(),
                Optional.ofNullable(board.description()), SharedFields.word(board.statusAt(now)), rankBy, metric,
                pointsSystem, board.maxParticipants(), board.start(), end,
                Optional.ofNullable(board.startTime()).map(LocalTime::toString),
                Optional.ofNullable(board.endTime()).map(LocalTime::toString),
                board.breakdownAttributes().stream().map(key -> ids.ofAttribute(AttributeType.USER, key)).toList(),
                Optional.ofNullable(board.runs()).map(runs -> SharedFields.word(runs.unit())),
                Optional.ofNullable(board.runs()).map(runs -> runs.interval()));
    }
}
