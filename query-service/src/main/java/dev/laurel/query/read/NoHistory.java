package dev.laurel.query.read;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.Award;
import dev.laurel.processors.core.user.BoardState;
import dev.laurel.processors.core.user.DayBucket;
import dev.laurel.processors.core.user.StreakBlock;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.StreakFrequency;
import java.util.List;
import java.util.UUID;

/** Of a user to whom nothing has happened. */
record NoHistory(RulesetVersions rulesets, TenantId tenant) implements UserHistory {

    @Override
    public DayBucket day(int number, int day) {
        return null;
    }

    @Override
    public List<Day> days(int number, int first, int last) {
        return List.of();
    }

    @Override
    public StreakBlock streakBlock(StreakFrequency frequency, int block) {
        return null;
    }

    @Override
    public List<Award> ledgerPage(int system, int page) {
        return null;
    }

    @Override
    public BoardState boardRun(int board, int run) {
        return null;
    }

    @Override
    public UUID eventWith(int metric, String idempotencyKey) {
        return null;
    }

    @Override
    public CompiledRuleset rules(long version) {
        return rulesets.get(tenant, version);
    }
}
