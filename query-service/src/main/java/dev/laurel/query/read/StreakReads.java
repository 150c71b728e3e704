package dev.laurel.query.read;

import dev.laurel.processors.core.account.AccountIndex;
import dev.laurel.processors.core.account.StreakPlace;
import dev.laurel.processors.core.account.StreakPlace.By;
import dev.laurel.processors.core.user.StreakReading;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.Partitions;
import dev.laurel.query.read.UserReads.Result;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.RankedStreakBody;
import dev.laurel.schemas.wire.StreakLengthBody;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads about the streaks of several users (application-api.md §5). Thread-safe; knows no HTTP. */
public final class StreakReads {

    /** Looked at for one list: after a midnight, before its timers have fired, many of the best may have lost their streak. */
    private static final int MAX_CANDIDATES = 1_000;

    private final Partitions partitions;
    private final RulesetVersions rulesets;
    private final UserReads users;

    public StreakReads(Partitions partitions, RulesetVersions rulesets, UserReads users) {
        this.partitions = partitions;
        this.rulesets = rulesets;
        this.users = users;
    }

    /** The streaks of these users, longest first, then in the order asked for. Who is unknown is left out. */
    public List<StreakLengthBody> lengths(List<UserKey> asked) {
        var bodies = new ArrayList<StreakLengthBody>(asked.size());
        for (UserKey user : new LinkedHashSet<>(asked)) {
            users.find(user, present -> {
                int length = StreakReading.lengthOf(present.state(), present.rules());
                return new StreakLengthBody(user.user().value(), length,
                        length == 0 ? null : Instant.ofEpochMilli(present.state().streak().extendedAtMs()));
            }).ifPresent(bodies::add);
        }
        bodies.sort(Comparator.comparingInt(StreakLengthBody::streakLength).reversed());
        return bodies;
    }

    /** A user among the longest, as of now. */
    private record Listed(StreakPlace place, String name) {}

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
        List<AccountIndex> accounts = partitions.accounts();
        var looked = new HashMap<StreakPlace, Optional<Listed>>();
        int candidates = limit;
        List<StreakPlace> places = best(accounts, tenant, by, candidates);
        if (places == null) {
            throw new NotReadyException("the longest streaks are being listed anew");
        }
        List<Listed> listed = look(tenant, by, places, looked);
        while (listed.size() < limit && places.size() == candidates && candidates < MAX_CANDIDATES) {
            candidates = Math.min(MAX_CANDIDATES, candidates * 4);
            List<StreakPlace> more = best(accounts, tenant, by, candidates);
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
    private static List<StreakPlace> best(List<AccountIndex> accounts, TenantId tenant, By by, int limit) {
        var all = new ArrayList<StreakPlace>();
        for (AccountIndex account : accounts) {
            List<StreakPlace> best = account.best(tenant, by, limit);
            if (best == null) {
                return null;
            }
            all.addAll(best);
        }
        return all.stream().sorted(StreakPlace.BEST_FIRST).limit(limit).toList();
    }

    /** @param looked those who have been looked at, to look at nobody twice */
    private List<Listed> look(TenantId tenant, By by, List<StreakPlace> places,
            Map<StreakPlace, Optional<Listed>> looked) {
        return places.stream()
                .flatMap(place -> looked.computeIfAbsent(place, at -> look(tenant, by, at)).stream()).toList();
    }

    private Optional<Listed> look(TenantId tenant, By by, StreakPlace place) {
        return users.find(new UserKey(tenant, place.user()), present -> {
            UserState state = present.state();
            StreakPlace now = StreakPlace.of(state, by);
            return now == null ? null : new Listed(now, state.profile().name());
        });
    }
}
