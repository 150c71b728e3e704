package dev.laurel.schemas.admin;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetSource.BrandingSource;
import dev.laurel.schemas.ruleset.RulesetSource.RateLimitsSource;
import dev.laurel.schemas.ruleset.RulesetSource.SettingsSource;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.wire.AccountSettingsBody;
import dev.laurel.schemas.wire.AccountSettingsBody.BrandingBody;
import dev.laurel.schemas.wire.AccountSettingsBody.RateLimitsBody;

/** Account settings (admin-api.md B3). {@code multiTenancyEnabled} is one setting of the whole instance and no part of a ruleset. */
final class AccountForm implements SettingsForm {

    private static final SettingsSource NOTHING = new SettingsSource(null, null, null, null, null, null, null, null);
    private static final RateLimitsSource NO_LIMITS = new RateLimitsSource(null, null);
    private static final BrandingSource NO_BRANDING = new BrandingSource(null, null, null, null, null);

    @Override
    public void patch(SourceDraft draft, AccessDraft access, Item item) throws BadInputException {
        SettingsSource before = draft.settings == null ? NOTHING : draft.settings;
        var next = new SettingsSource(SharedFields.or(item.integer("controlRatio"), before.controlRatio()),
                SharedFields.text(item, "defaultTimeZone", before.defaultTimeZone()),
                SharedFields.text(item, "weekStartsOn", before.weekStartsOn()),
                SharedFields.or(item.bool("integerLeaderboardValues"), before.integerLeaderboardValues()),
                SharedFields.text(item, "messageTimeZone", before.messageTimeZone()),
                SharedFields.or(item.bool("applicationKeysEnabled"), before.applicationKeysEnabled()),
                rateLimits(item, before.rateLimits()), branding(item, before.branding()));
        draft.settings = next.equals(NOTHING) ? null : next;
        access.setMultiTenancy(item.bool("multiTenancyEnabled"));
    }

    /** Null, as does null for both of them, lifts all limits; a limit that is not given stays. */
    private static RateLimitsSource rateLimits(Item item, RateLimitsSource before) throws BadInputException {
        Item given = item.object("rateLimits");
        if (given == null) {
            return item.isNull("rateLimits") ? null : before;
        }
        RateLimitsSource kept = SharedFields.or(before, NO_LIMITS);
        return new RateLimitsSource(limit(given, "tier1", kept.tier1()), limit(given, "tier2", kept.tier2()));
    }

    private static Integer limit(Item limits, String field, Integer before) throws BadInputException {
        return limits.isNull(field) ? null : SharedFields.or(limits.integer(field), before);
    }

    private static BrandingSource branding(Item item, BrandingSource before) throws BadInputException {
        Item given = item.object("branding");
        if (given == null) {
            return before;
        }
        BrandingSource kept = SharedFields.or(before, NO_BRANDING);
        return new BrandingSource(SharedFields.clearable(given, "appName", kept.appName()),
                SharedFields.clearable(given, "appUrl", kept.appUrl()),
                SharedFields.clearable(given, "logoUrl", kept.logoUrl()),
                SharedFields.clearable(given, "brandColor", kept.brandColor()),
                SharedFields.clearable(given, "font", kept.font()));
    }

    @Override
    public String place() {
        return "/settings";
    }

    @Override
    public AccountSettingsBody body(Ruleset ruleset, AccessDraft access) {
        Settings s = ruleset.settings();
        Settings.RateLimits limits = s.rateLimits();
        Settings.Branding branding = s.branding();
        return new AccountSettingsBody(s.controlRatio(), SharedFields.word(s.weekStartsOn()),
                s.defaultTimeZone().getId(), s.messageTimeZone().getId(), s.integerLeaderboardValues(),
                s.applicationKeysEnabled(), limits == null ? null : new RateLimitsBody(limits.tier1(), limits.tier2()),
                new BrandingBody(branding.appName(), branding.appUrl(), branding.logoUrl(), branding.brandColor(),
                        branding.font()),
                access.isMultiTenant());
    }
}
