package dev.laurel.platform.http;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Settings;
import java.time.Duration;
import java.util.function.Function;

/** Rulesets that contain only settings. */
public record FixedSettings(Function<TenantId, Settings> settings) implements Rulesets {

    /** The default settings except for these two. */
    public static Settings of(boolean applicationKeysEnabled, Settings.RateLimits limits) {
        Settings defaults = Settings.DEFAULT;
        return new Settings(
                defaults.controlRatio(),
                defaults.defaultTimeZone(),
                defaults.weekStartsOn(),
                defaults.integerLeaderboardValues(),
                defaults.messageTimeZone(),
                applicationKeysEnabled,
                limits,
                defaults.branding(),
                defaults.userActivationWindow(),
                defaults.analyticsRetentionDays(),
                defaults.trackOpens(),
                defaults.trackClicks());
    }

    @Override
    public Ruleset newest(TenantId tenant) {
        Ruleset empty = Ruleset.empty(tenant);
        return new Ruleset(
                tenant,
                1,
                empty.published(),
                1,
                empty.metrics(),
                empty.attributes(),
                empty.achievements(),
                empty.streak(),
                empty.pointsSystems(),
                empty.leaderboards(),
                settings.apply(tenant),
                empty.webhooks(),
                empty.notifications(),
                empty.retired(),
                null,
                null);
    }

    @Override
    public Ruleset version(TenantId tenant, long version) {
        return newest(tenant);
    }

    @Override
    public Ruleset await(TenantId tenant, long version, Duration timeout) {
        return newest(tenant);
    }

    @Override
    public boolean awaitNewest(Duration timeout) {
        return true;
    }
}
