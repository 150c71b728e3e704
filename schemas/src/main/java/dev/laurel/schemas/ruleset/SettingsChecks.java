package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.command.Zones;
import dev.laurel.schemas.ruleset.RulesetSource.BrandingSource;
import dev.laurel.schemas.ruleset.RulesetSource.RateLimitsSource;
import dev.laurel.schemas.ruleset.RulesetSource.SettingsSource;
import java.util.regex.Pattern;

/** What settings may be (admin-api.md B3). */
final class SettingsChecks {

    private static final String AT = "/settings";
    private static final int MAX_RATE = 1_000_000;
    private static final int MAX_NAME_LENGTH = 255;

    /** Both end up in the style of an email: nothing else must be able to stand there. */
    private static final Pattern COLOR = Pattern.compile("#[0-9A-Fa-f]{6}");
    private static final Pattern FONT = Pattern.compile("[A-Za-z0-9 ,-]{1,255}");

    private final SourceChecks checks;
    private final IssueList issues;

    SettingsChecks(SourceChecks checks, IssueList issues) {
        this.checks = checks;
        this.issues = issues;
    }

    void check(SettingsSource settings) {
        issues.between(AT + "/controlRatio", settings.controlRatio(), 0, 100);
        zone("/defaultTimeZone", settings.defaultTimeZone());
        issues.oneOf(AT + "/weekStartsOn", settings.weekStartsOn(), "sunday", "monday");
        zone("/messageTimeZone", settings.messageTimeZone());
        if (settings.rateLimits() != null) {
            rateLimits(settings.rateLimits());
        }
        if (settings.branding() != null) {
            branding(AT + "/branding", settings.branding());
        }
    }

    private void zone(String field, String name) {
        issues.expect(name == null || Zones.byName(name) != null, AT + field,
                "must be an IANA time zone, such as Europe/Helsinki");
    }

    private void rateLimits(RateLimitsSource limits) {
        issues.between(AT + "/rateLimits/tier1", limits.tier1(), 1, MAX_RATE);
        issues.between(AT + "/rateLimits/tier2", limits.tier2(), 1, MAX_RATE);
    }

    private void branding(String path, BrandingSource branding) {
        checks.text(path + "/appName", branding.appName(), MAX_NAME_LENGTH);
        checks.url(path + "/appUrl", branding.appUrl());
        checks.url(path + "/logoUrl", branding.logoUrl());
        issues.expect(branding.brandColor() == null || COLOR.matcher(branding.brandColor()).matches(),
                path + "/brandColor", "must be a colour such as #1A2B3C");
        issues.expect(branding.font() == null || FONT.matcher(branding.font()).matches(), path + "/font",
                "must be names of fonts: 1 to 255 letters, digits, spaces, ',' and '-'");
    }
}
