package dev.laurel.delivery;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;
import java.util.function.Function;

/** Rules of which only the newest count. @param refresh runs when somebody waits for the newest */
public record NewestRules(Function<TenantId, Ruleset> published, Runnable refresh) implements Rulesets {

    public NewestRules(Function<TenantId, Ruleset> published) {
        this(published, () -> {});
    }

    @Override
    public Ruleset newest(TenantId tenant) {
        return published.apply(tenant);
    }

    @Override
    public Ruleset version(TenantId tenant, long version) {
        throw new AssertionError("the newest counts");
    }

    @Override
    public Ruleset await(TenantId tenant, long version, Duration timeout) {
        throw new AssertionError("the newest counts");
    }

    @Override
    public boolean awaitNewest(Duration timeout) {
        refresh.run();
        return true;
    }
}
