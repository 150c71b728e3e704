package dev.laurel.query.read;

import dev.laurel.processors.core.account.StreakPlace.By;
import dev.laurel.processors.core.account.StreakPlace;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.question.ListStreaks;
import dev.laurel.query.question.MeasureStreaks;
import dev.laurel.query.question.Nodes;
import dev.laurel.query.question.ShowStreaks.Listed;
import dev.laurel.query.question.ShowStreaks;
import dev.laurel.query.read.UserReads.Result;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.RankedStreakBody;
import dev.laurel.schemas.wire.StreakLengthBody;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads about the streaks of several users (application-api.md §5). Thread-safe; knows no HTTP. */
public final class StreakReads {

    /** Looked at for one list: after a midnight, before its timers have fired, many of the best may have lost their streak. */
    private static final int MAX_CANDIDATES = 1_000;

    private final Nodes nodes;
    private final RulesetVersions rulesets;

    public StreakReads(Nodes nodes, RulesetVersions rulesets) {
        this.nodes = nodes;
        this.rulesets = rulesets;
    }

    /** The streaks of these users, longest first, then in the order asked for. Who is unknown is left out. */
    public List<StreakLengthBody> lengths(List<UserKey> asked) {
        List<UserKey> users = List.copyOf(new LinkedHashSet<>(asked));
        var known = nodes.ask(new MeasureStreaks(users)).streaks().stream()
                .collect(Collectors.toMap(StreakLengthBody::userId, Function.identity()));
        return users.stream().map(user -> known.get(user.user().value())).filter(Objects::nonNull)
                .sorted(Comparator.comparingInt(StreakLengthBody::streakLength).reversed()).toList();
    }

    /**
     * The users with the longest streaks, in the order of {@link StreakPlace}. Who is listed is found by what is stored and
     * shown as of now, so whose streak ended a moment ago is not listed.
     *
     * @throws NotReadyException while it is not known who they are
     */
    public Result<List<RankedStreakBody>> rankings(TenantId tenant, By by, int limit) {
        if (!rulesets.newest(tenant).streak().isEnabled()) {
            return Result.found(List.of());
        }
        var looked = new HashMap<UserId, Optional<Listed>>();
        int candidates = limit;
        List<StreakPlace> places = best(tenant, by, candidates);
        if (places == null) {
            throw new NotReadyException("the longest streaks are being listed anew");
        }
        List<Listed> listed = look(tenant, by, places, looked);
        while (listed.size() < limit && places.size() == candidates && candidates < MAX_CANDIDATES) {
            candidates = Math.min(MAX_CANDIDATES, candidates * 4);
            List<StreakPlace> more = best(tenant, by, candidates);
            if (more == null) {
                break;
            }
            places = more;
            listed = look(tenant, by, places, looked);
        }
        return Result.found(listed.stream().sorted(Comparator.comparing(Listed::place, StreakPlace.BEST_FIRST))
                .limit(limit)
                .map(user -> new RankedStreakBody(user.place().user().value(), Optional.ofNullable(user.name()),
                        user.place().length()))
                .toList());
    }

    /** Of all partitions together; null if they are not known. */
    private List<StreakPlace> best(TenantId tenant, By by, int limit) {
        return nodes.ask(new ListStreaks(tenant, by, limit)).places();
    }

    /** @param looked those who have been looked at, to look at nobody twice; empty: without a place now */
    private List<Listed> look(TenantId tenant, By by, List<StreakPlace> places,
            Map<UserId, Optional<Listed>> looked) {
        List<UserId> next = places.stream().map(StreakPlace::user).filter(user -> !looked.containsKey(user)).toList();
        if (!next.isEmpty()) {
            next.forEach(user -> looked.put(user, Optional.empty()));
            nodes.ask(new ShowStreaks(tenant, by, next)).listed()
                    .forEach(user -> looked.put(user.place().user(), Optional.of(user)));
        }
        return places.stream().flatMap(place -> looked.get(place.user()).stream()).distinct().toList();
    }
}
