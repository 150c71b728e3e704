package dev.laurel.schemas.serde;

import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.access.AccessRecord.KeyStatus;
import dev.laurel.schemas.access.AccessRecord.TenantStatus;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.audit.AuditRecord.Author;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.Command.BoostChange;
import dev.laurel.schemas.command.Command.ChangeBoost;
import dev.laurel.schemas.command.Command.ChangeOwnedBoost;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.DeleteOwnedPause;
import dev.laurel.schemas.command.Command.DeletePause;
import dev.laurel.schemas.command.Command.DropDeviceTokens;
import dev.laurel.schemas.command.Command.EraseUser;
import dev.laurel.schemas.command.Command.GenerationPromoted;
import dev.laurel.schemas.command.Command.GrantBoost;
import dev.laurel.schemas.command.Command.GrantFreeze;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.IssueKey;
import dev.laurel.schemas.command.Command.NoteKeyUse;
import dev.laurel.schemas.command.Command.PlanPause;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.RecordReaction;
import dev.laurel.schemas.command.Command.ResetStreak;
import dev.laurel.schemas.command.Command.RestoreStreak;
import dev.laurel.schemas.command.Command.RevokeBoost;
import dev.laurel.schemas.command.Command.RevokeKey;
import dev.laurel.schemas.command.Command.RevokeOwnedBoost;
import dev.laurel.schemas.command.Command.RevokeOwnedKey;
import dev.laurel.schemas.command.Command.RulesetPublished;
import dev.laurel.schemas.command.Command.RunFinished;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.SetPreferences.StreakChange;
import dev.laurel.schemas.command.Command.TestMessage;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.command.Command.TimersHeld;
import dev.laurel.schemas.command.Command.TimersReleased;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange.SignUp;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.outbox.Outgoing.SendMark;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Achievement.AchievementStatus;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.Attribute.AttributeFilter;
import dev.laurel.schemas.ruleset.Attribute.AttributeType;
import dev.laurel.schemas.ruleset.Boost;
import dev.laurel.schemas.ruleset.Boost.Rounding;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Notifications;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsSystem.LevelRule;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.PointsTrigger.TriggerRule;
import dev.laurel.schemas.ruleset.PointsTrigger.TriggerStatus;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Ruleset.ObjectIdentity;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.ruleset.StreakSettings;
import dev.laurel.schemas.ruleset.StreakSettings.EvaluationMode;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.ruleset.Webhook;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.topic.Rejection;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Full examples of all types of records in topics, by the names of their approved files. */
public final class Examples {

    private static final UserId IDA = new UserId("swimmer-77");
    private static final Instant AT = Instant.parse("2026-03-04T09:15:00.25Z");

    private Examples() {}

    public static Map<String, Command> commands() {
        var all = new LinkedHashMap<String, Command>();
        all.put(
                "command-event",
                new RecordEvent(
                        user(),
                        "laps-swum",
                        new BigDecimal("4.5"),
                        Map.of("pool", "50m", "club", "Åbo"),
                        "swim-8841",
                        uuid(1)));
        all.put(
                "command-event-smallest",
                new RecordEvent(UserChange.mention(IDA), "laps-swum", new BigDecimal("-2"), Map.of(), null, null));
        all.put("command-identify", new IdentifyUser(user(), true));
        all.put(
                "command-identify-clearing",
                new IdentifyUser(
                        new UserChange(
                                IDA,
                                Change.keep(),
                                Change.set("Ida"),
                                Change.clear(),
                                Change.clear(),
                                Change.set(false),
                                Change.clear(),
                                Map.of("city", Change.clear())),
                        false));
        all.put(
                "command-identify-sign-up-time",
                new IdentifyUser(
                        new UserChange(
                                IDA,
                                Change.keep(),
                                Change.keep(),
                                Change.keep(),
                                Change.keep(),
                                Change.keep(),
                                Change.set(new SignUp.AtTime(Instant.parse("2024-03-01T02:30:00.250Z"))),
                                Map.of()),
                        false));
        all.put("command-complete", new CompleteAchievement(user(), "first-dive"));
        all.put(
                "command-preferences",
                new SetPreferences(
                        UserChange.mention(IDA),
                        Map.of(
                                NotificationType.RECAP,
                                Change.set(Set.of(NotificationChannel.PUSH, NotificationChannel.EMAIL)),
                                NotificationType.STREAK_REMINDER,
                                Change.set(Set.of()),
                                NotificationType.REACTIVATION,
                                Change.clear()),
                        new StreakChange(
                                Change.set(true),
                                Change.set(EvaluationMode.AND),
                                Change.set(List.of(
                                        new SetPreferences.Condition("laps-swum", new BigDecimal("20.5")),
                                        new SetPreferences.Condition("dives", BigDecimal.ONE))),
                                Change.keep()),
                        SetPreferences.LeaderboardsChange.NONE));
        all.put(
                "command-preferences-clearing",
                new SetPreferences(
                        UserChange.mention(IDA),
                        Map.of(),
                        new StreakChange(Change.clear(), Change.clear(), Change.clear(), Change.keep()),
                        SetPreferences.LeaderboardsChange.NONE));
        all.put(
                "command-preferences-days-off",
                new SetPreferences(
                        UserChange.mention(IDA),
                        Map.of(),
                        new StreakChange(Change.keep(), Change.keep(), Change.keep(), Change.set(List.of(0, 6))),
                        SetPreferences.LeaderboardsChange.NONE));
        all.put(
                "command-preferences-days-off-clearing",
                new SetPreferences(
                        UserChange.mention(IDA),
                        Map.of(),
                        new StreakChange(Change.keep(), Change.keep(), Change.keep(), Change.clear()),
                        SetPreferences.LeaderboardsChange.NONE));
        all.put(
                "command-preferences-smallest",
                new SetPreferences(
                        UserChange.mention(IDA), Map.of(), StreakChange.NONE, SetPreferences.LeaderboardsChange.NONE));
        all.put("command-grant-freeze", new GrantFreeze(UserChange.mention(IDA)));
        all.put(
                "command-plan-pause",
                new PlanPause(
                        UserChange.mention(IDA),
                        uuid(21),
                        LocalDate.parse("2026-07-05"),
                        LocalDate.parse("2026-07-18")));
        all.put("command-delete-pause", new DeletePause(UserChange.mention(IDA), uuid(21)));
        all.put("command-restore-streak", new RestoreStreak(UserChange.mention(IDA)));
        all.put("command-reset-streak", new ResetStreak(UserChange.mention(IDA)));
        all.put(
                "command-grant-boost",
                new GrantBoost(
                        UserChange.mention(IDA),
                        uuid(22),
                        "gems",
                        "Birthday \"👩‍🚀\"",
                        LocalDate.parse("2026-03-04"),
                        LocalDate.parse("2026-03-10"),
                        new BigDecimal("1.5"),
                        Rounding.NEAREST));
        all.put(
                "command-grant-boost-smallest",
                new GrantBoost(
                        UserChange.mention(IDA),
                        uuid(22),
                        "gems",
                        "Always",
                        LocalDate.parse("2026-03-04"),
                        null,
                        new BigDecimal("2"),
                        Rounding.DOWN));
        all.put("command-revoke-boost", new RevokeBoost(UserChange.mention(IDA), uuid(22), null));
        all.put("command-revoke-boost-of-system", new RevokeBoost(UserChange.mention(IDA), uuid(22), "gems"));
        all.put(
                "command-change-boost",
                new ChangeBoost(
                        UserChange.mention(IDA),
                        uuid(22),
                        "gems",
                        new BoostChange(
                                Change.set("Birthday"),
                                Change.set(LocalDate.parse("2026-03-05")),
                                Change.clear(),
                                Change.set(new BigDecimal("2.5")),
                                Change.set(Rounding.UP))));
        all.put(
                "command-change-boost-smallest",
                new ChangeBoost(
                        UserChange.mention(IDA),
                        uuid(22),
                        "gems",
                        new BoostChange(Change.keep(), Change.keep(), Change.keep(), Change.keep(), Change.keep())));
        all.put("command-delete-owned-pause", new DeleteOwnedPause(new TenantId("acme"), uuid(21)));
        all.put(
                "command-change-owned-boost",
                new ChangeOwnedBoost(
                        TenantId.NONE,
                        uuid(22),
                        "gems",
                        new BoostChange(
                                Change.keep(),
                                Change.keep(),
                                Change.set(LocalDate.parse("2026-03-10")),
                                Change.keep(),
                                Change.keep())));
        all.put("command-revoke-owned-boost", new RevokeOwnedBoost(new TenantId("acme"), uuid(22), "gems"));
        all.put("command-revoke-owned-boost-one-tenant", new RevokeOwnedBoost(TenantId.NONE, uuid(22), null));
        all.put("command-test-message", new TestMessage(UserChange.mention(IDA), uuid(23)));
        all.put(
                "command-record-reaction",
                new RecordReaction(UserChange.mention(IDA), uuid(14), RecordReaction.Reaction.CLICKED));
        all.put(
                "command-drop-device-tokens",
                new DropDeviceTokens(UserChange.mention(IDA), List.of("ExponentPushToken[dead]", "gone")));
        all.put("command-run-finished", new RunFinished(UserChange.mention(IDA), 26, 20_514, 2, 40));
        all.put("command-erase-user", new EraseUser(UserChange.mention(IDA)));
        all.put("command-erase-user-with-keys", new EraseUser(UserChange.mention(IDA), List.of(uuid(24), uuid(25))));
        all.put("command-issue-key", new IssueKey(UserChange.mention(IDA), uuid(24), Role.VIEWER, AT));
        all.put("command-issue-key-smallest", new IssueKey(UserChange.mention(IDA), uuid(24), Role.SUPPORT, null));
        all.put("command-revoke-key", new RevokeKey(UserChange.mention(IDA), uuid(24)));
        all.put("command-note-key-use", new NoteKeyUse(UserChange.mention(IDA), uuid(24)));
        all.put("command-revoke-owned-key", new RevokeOwnedKey(new TenantId("acme"), uuid(24)));
        all.put("command-ruleset-published", new RulesetPublished(new TenantId("acme"), 7));
        all.put("command-ruleset-published-one-tenant", new RulesetPublished(TenantId.NONE, 1));
        all.put("command-tick", new Tick());
        all.put("command-timers-held", new TimersHeld("import-2026-03-04"));
        all.put("command-timers-released", new TimersReleased("import-2026-03-04"));
        all.put("command-generation-promoted", new GenerationPromoted(2));
        return all;
    }

    public static Map<String, Effect> effects() {
        var all = new LinkedHashMap<String, Effect>();
        all.put("effect-user-created", new Effect.UserCreated(IDA, AT));
        all.put("effect-user-erased", new Effect.UserErased(IDA, AT));
        all.put(
                "effect-achievement-completed",
                new Effect.AchievementCompleted(IDA, AT, uuid(2), "forty-laps", uuid(3)));
        all.put(
                "effect-points-changed",
                new Effect.PointsChanged(
                        IDA,
                        AT,
                        uuid(4),
                        "gems",
                        30,
                        130,
                        List.of(
                                new Effect.PointsAwarded(uuid(5), uuid(6), 40, 140),
                                new Effect.PointsAwarded(uuid(7), uuid(8), -10, 130))));
        all.put("effect-streak-started", new Effect.StreakStarted(IDA, AT, 1));
        all.put("effect-streak-extended", new Effect.StreakExtended(IDA, AT, 2));
        all.put("effect-streak-lost", new Effect.StreakLost(IDA, AT, 2));
        all.put("effect-freeze-consumed", new Effect.FreezeConsumed(IDA, AT, 1, 0));
        all.put("effect-freeze-earned", new Effect.FreezeEarned(IDA, AT, 2, 3));
        all.put("effect-level-changed", new Effect.LevelChanged(IDA, AT, uuid(4), "gems", 130, uuid(9), uuid(10)));
        all.put("effect-level-lost", new Effect.LevelChanged(IDA, AT, uuid(4), "gems", 0, uuid(9), null));
        all.put(
                "effect-boost-started",
                new Effect.BoostStarted(
                        null,
                        AT,
                        uuid(4),
                        "gems",
                        uuid(13),
                        LocalDate.parse("2026-03-05"),
                        LocalDate.parse("2026-03-11")));
        all.put(
                "effect-boost-started-open",
                new Effect.BoostStarted(IDA, AT, uuid(4), "gems", uuid(13), LocalDate.parse("2026-03-04"), null));
        all.put(
                "effect-boost-finished",
                new Effect.BoostFinished(
                        IDA,
                        AT,
                        uuid(4),
                        "gems",
                        uuid(13),
                        LocalDate.parse("2026-02-25"),
                        LocalDate.parse("2026-03-03")));
        all.put(
                "effect-leaderboard-started",
                new Effect.LeaderboardStarted(
                        AT, uuid(11), "pool-week", LocalDate.parse("2026-03-01"), LocalDate.parse("2026-03-07")));
        all.put(
                "effect-leaderboard-changed",
                new Effect.LeaderboardChanged(
                        IDA,
                        AT,
                        uuid(11),
                        "pool-week",
                        LocalDate.parse("2026-03-01"),
                        LocalDate.parse("2026-03-07"),
                        List.of(new Effect.GroupValue("city", "Turku")),
                        null,
                        4,
                        null,
                        new BigDecimal("42.5")));
        all.put(
                "effect-leaderboard-left",
                new Effect.LeaderboardChanged(
                        IDA,
                        AT,
                        uuid(12),
                        "gem-club",
                        LocalDate.parse("2026-01-01"),
                        null,
                        List.of(),
                        4,
                        null,
                        new BigDecimal("42"),
                        null));
        all.put(
                "effect-leaderboard-finished",
                new Effect.LeaderboardFinished(
                        AT,
                        uuid(11),
                        "pool-week",
                        LocalDate.parse("2026-03-01"),
                        LocalDate.parse("2026-03-07"),
                        List.of(new Effect.GroupValue("city", "Turku")),
                        List.of(
                                new Effect.Ranked(new UserId("swimmer-12"), null, 1, new BigDecimal("48")),
                                new Effect.Ranked(IDA, "Ida Laine", 2, new BigDecimal("42.5")))));
        return all;
    }

    public static Rejection rejection() {
        return new Rejection(
                "laurel.commands",
                3,
                8841,
                AT,
                "swimmer-77",
                "{\"type\":\"evnt\"}",
                "type is 'evnt', must be one of: event, identify.");
    }

    static Map<String, Outgoing> outgoing() {
        var acme = new TenantId("acme");
        var all = new LinkedHashMap<String, Outgoing>();
        all.put(
                "outgoing-hook-event",
                new Outgoing.HookEvent(
                        uuid(31),
                        acme,
                        AT,
                        WebhookEvent.POINTS_CHANGED,
                        List.of(uuid(32), uuid(33)),
                        uuid(4).toString(),
                        "{\"type\":\"points.changed\"}"));
        all.put(
                "outgoing-hook-event-smallest",
                new Outgoing.HookEvent(
                        uuid(31),
                        TenantId.NONE,
                        AT,
                        WebhookEvent.LEADERBOARD_RANK_CHANGED,
                        List.of(uuid(32)),
                        null,
                        "{}"));
        all.put(
                "outgoing-board-news",
                new Outgoing.LeaderboardEvent(
                        uuid(31),
                        acme,
                        AT,
                        7,
                        new Effect.LeaderboardStarted(
                                AT,
                                uuid(11),
                                "pool-week",
                                LocalDate.parse("2026-03-01"),
                                LocalDate.parse("2026-03-07"))));
        for (NotificationType type : NotificationType.values()) {
            all.put(
                    "outgoing-message-" + type.name().toLowerCase(Locale.ROOT),
                    new Outgoing.Message(
                            uuid(31),
                            acme,
                            AT,
                            7,
                            IDA,
                            type,
                            List.of(
                                    new MessageCopy(NotificationChannel.EMAIL, uuid(34), 0),
                                    new MessageCopy(NotificationChannel.PUSH, uuid(35), 2)),
                            "{\"user\":{\"id\":\"swimmer-77\"}}"));
        }
        all.put("outgoing-user-erased", new Outgoing.UserErased(uuid(31), acme, AT, IDA));
        all.put("outgoing-hook-test", new Outgoing.HookTest(uuid(31), acme, AT, uuid(32), WebhookEvent.STREAK_LOST));
        all.put("outgoing-hook-retry", new Outgoing.HookRetry(uuid(31), acme, AT, uuid(32), uuid(36)));
        all.put("outgoing-question", new Outgoing.Question(uuid(31), acme, AT));
        return all;
    }

    static SendMark sendMark() {
        return new SendMark(uuid(36), 2, uuid(37));
    }

    /** A ruleset with an author, and the record of its change. */
    static Map<String, Object> audit() {
        var author = new Author(Author.Type.KEY, "0f8fad5b-d9cb-469f-a165-70867728950e", "CI");
        var all = new LinkedHashMap<String, Object>();
        all.put("ruleset-author", Ruleset.empty(new TenantId("acme")).by(author));
        all.put(
                "audit-record",
                new AuditRecord(
                        AT,
                        author,
                        new TenantId("acme"),
                        "updateMetrics",
                        AuditRecord.Outcome.ACCEPTED,
                        null,
                        List.of(new AuditRecord.ChangedObject(
                                "metric", "7c9e6679-7425-40de-944b-e07fc1f90ae7", "laps")),
                        1,
                        new AuditRecord.Versions(3, 4),
                        "request-1"));
        all.put(
                "audit-record-refused",
                new AuditRecord(
                        AT,
                        new Author(Author.Type.PERSON, "ida@example", "Ida"),
                        null,
                        "createAdminKeys",
                        AuditRecord.Outcome.REFUSED,
                        "This needs the role admin: the key has the role viewer.",
                        List.of(),
                        0,
                        null,
                        "request-2"));
        return all;
    }

    static Map<String, AccessRecord> accessRecords() {
        var at = Instant.parse("2026-03-04T09:15:00.250Z");
        var id = UUID.fromString("3f0c8f1e-7c1b-4d5a-9a39-0d0f6b1c2a50");
        String hash = "ab".repeat(32);
        var all = new LinkedHashMap<String, AccessRecord>();
        all.put("access-admin-key", new AccessRecord.AdminKey(id, "CI", "Abcd1234", hash, KeyStatus.ACTIVE, at));
        all.put(
                "access-admin-key-limited",
                new AccessRecord.AdminKey(
                        id, "CI", "Abcd1234", hash, KeyStatus.ACTIVE, at, Role.SUPPORT, "acme", null));
        all.put(
                "access-admin-key-ending",
                new AccessRecord.AdminKey(
                        id, "CI", "Abcd1234", hash, KeyStatus.ACTIVE, at, Role.ADMIN, null, at.plusSeconds(60)));
        all.put(
                "access-application-key",
                new AccessRecord.ApplicationKey(
                        id, new TenantId("acme"), new UserId("swimmer-77"), "app_Abcd1234", hash, at, Role.SUPPORT));
        all.put("access-revoked-key", new AccessRecord.RevokedKey(id));
        all.put(
                "access-application-key-reading",
                new AccessRecord.ApplicationKey(
                        id, TenantId.NONE, new UserId("swimmer-77"), "app_Abcd1234", hash, at, Role.VIEWER));
        all.put(
                "access-tenant",
                new AccessRecord.Tenant(id, "acme", "Acme", TenantStatus.ARCHIVED, at, at.plusSeconds(1)));
        all.put("access-instance", new AccessRecord.Instance(true));
        all.put("access-instance-first-tenant", new AccessRecord.Instance(true, "acme"));
        all.put("access-last-used", new AccessRecord.LastUsed(id, at));
        return all;
    }

    public static Ruleset ruleset() {
        Ruleset before = rulesetV4();
        var achievements = new ArrayList<>(before.achievements());
        achievements.add(new Achievement(
                29,
                uuid(39),
                "year",
                "One year",
                null,
                null,
                new AchievementTrigger.Anniversary(1),
                AchievementStatus.ACTIVE,
                List.of(),
                true,
                AT,
                AT,
                AT,
                1));
        achievements.add(Records.with(
                achievements.getLast(),
                "number",
                30,
                "id",
                uuid(40),
                "key",
                "podium",
                "trigger",
                new AchievementTrigger.FinalRank(
                        before.leaderboards().getFirst().key(), 1, 3)));
        PointsSystem system = before.pointsSystems().getFirst();
        var triggers = new ArrayList<>(system.triggers());
        triggers.add(trigger(
                31,
                "podium",
                new TriggerRule.FinalRank(before.leaderboards().getFirst().key(), 2, 3),
                50,
                List.of(),
                AT));
        var systems = new ArrayList<>(before.pointsSystems());
        systems.set(0, Records.with(system, "triggers", triggers));
        return new Ruleset(
                before.tenant(),
                before.version(),
                before.published(),
                before.nextNumber(),
                before.metrics(),
                before.attributes(),
                achievements,
                before.streak(),
                systems,
                before.leaderboards(),
                Records.with(
                        before.settings(),
                        "userActivationWindow",
                        21,
                        "branding",
                        new Settings.Branding(
                                "Pool", null, null, "rgb(26, 43, 60)", "BOOK_SERIF", "https://pool.example/icon.png")),
                before.webhooks(),
                before.notifications(),
                before.retired(),
                null,
                null);
    }

    /** A ruleset from before icons of applications, as current code reads it. */
    static Ruleset rulesetV4() {
        Ruleset before = rulesetV3();
        return new Ruleset(
                before.tenant(),
                before.version(),
                before.published(),
                before.nextNumber(),
                before.metrics(),
                before.attributes(),
                before.achievements(),
                before.streak(),
                before.pointsSystems(),
                before.leaderboards(),
                before.settings(),
                webhooks(),
                notifications(),
                before.retired(),
                null,
                null);
    }

    /** A ruleset from before webhooks and notifications, as current code reads it. */
    static Ruleset rulesetV3() {
        Ruleset before = rulesetV2();
        return new Ruleset(
                before.tenant(),
                before.version(),
                before.published(),
                before.nextNumber(),
                before.metrics(),
                before.attributes(),
                before.achievements(),
                before.streak(),
                before.pointsSystems(),
                leaderboards(),
                new Settings(
                        10,
                        ZoneId.of("Europe/Helsinki"),
                        DayOfWeek.MONDAY,
                        true,
                        ZoneId.of("Europe/Paris"),
                        false,
                        new Settings.RateLimits(5, null),
                        new Settings.Branding("Pool", null, null, "#1A2B3C", null, null),
                        null,
                        null,
                        null,
                        null),
                List.of(),
                Notifications.NONE,
                before.retired(),
                null,
                null);
    }

    private static List<Webhook> webhooks() {
        return List.of(
                new Webhook(
                        25,
                        uuid(45),
                        "crm",
                        "CRM",
                        "Keeps the profiles of customers",
                        "https://crm.example/laurel",
                        List.of(WebhookEvent.STREAK_LOST, WebhookEvent.POINTS_LEVEL_CHANGED),
                        true,
                        AT,
                        AT.plusMillis(1)),
                new Webhook(
                        26,
                        uuid(46),
                        "old",
                        "Old",
                        null,
                        "http://old.example",
                        List.of(WebhookEvent.ACHIEVEMENT_COMPLETED),
                        false,
                        AT,
                        AT));
    }

    private static Notifications notifications() {
        var timing = new Notifications.Timing(
                Notifications.RecapPeriod.MONTHLY,
                List.of(7, 30),
                new Notifications.StreakReminder(3, DayOfWeek.SUNDAY, LocalTime.of(18, 30), 28, LocalTime.of(8, 0)),
                new Notifications.Window(LocalTime.of(16, 0), LocalTime.of(20, 0)),
                Map.of(NotificationType.REACTIVATION, false));
        return new Notifications(
                List.of(
                        new Template(
                                27,
                                uuid(47),
                                "lost",
                                NotificationType.STREAK_REMINDER,
                                NotificationChannel.EMAIL,
                                "Lost",
                                new Template.Text("Swim, {{user.name}}!", "Your streak ends today."),
                                true,
                                List.of(new AttributeFilter("city", "Turku")),
                                List.of(new Template.Text("Today?", "Come and swim.")),
                                AT,
                                AT.plusMillis(1)),
                        new Template(
                                28,
                                uuid(48),
                                "recap",
                                NotificationType.RECAP,
                                NotificationChannel.PUSH,
                                "Recap",
                                new Template.Text("Your week", "You swam."),
                                false,
                                List.of(),
                                List.of(),
                                AT,
                                AT)),
                timing,
                new Notifications.Sender("team@pool.example", "The pool", null));
    }

    private static List<Leaderboard> leaderboards() {
        Instant later = AT.plusMillis(1);
        return List.of(
                new Leaderboard(
                        21,
                        uuid(41),
                        "lanes",
                        "Lanes",
                        "Who swims most.",
                        LeaderboardStatus.ACTIVE,
                        new RankBy.MetricTotal("laps-swum"),
                        LocalDate.of(2026, 1, 1),
                        LocalDate.of(2026, 12, 31),
                        LocalTime.of(6, 0),
                        LocalTime.of(21, 30, 15),
                        50,
                        List.of("city"),
                        new RunLength(RunLength.RunUnit.MONTH, 2),
                        AT,
                        later,
                        null,
                        false,
                        false,
                        null),
                new Leaderboard(
                        22,
                        uuid(42),
                        "rich",
                        "Rich",
                        null,
                        LeaderboardStatus.SCHEDULED,
                        new RankBy.PointsTotal("gems"),
                        LocalDate.of(2027, 1, 1),
                        null,
                        null,
                        null,
                        1000,
                        List.of(),
                        null,
                        AT,
                        AT,
                        null,
                        false,
                        false,
                        null),
                new Leaderboard(
                        23,
                        uuid(43),
                        "faithful",
                        "Faithful",
                        null,
                        LeaderboardStatus.FINISHED,
                        new RankBy.StreakLength(),
                        LocalDate.of(2026, 3, 1),
                        null,
                        null,
                        null,
                        10,
                        List.of(),
                        null,
                        AT,
                        AT,
                        later,
                        false,
                        false,
                        null),
                new Leaderboard(
                        24,
                        uuid(44),
                        "next",
                        "Next",
                        null,
                        LeaderboardStatus.INACTIVE,
                        new RankBy.StreakLength(),
                        LocalDate.of(2026, 3, 4),
                        null,
                        null,
                        null,
                        1000,
                        List.of(),
                        null,
                        AT,
                        null,
                        null,
                        false,
                        false,
                        null));
    }

    /** A ruleset from before leaderboards, as current code reads it. */
    static Ruleset rulesetV2() {
        var inTurku = List.of(new AttributeFilter("city", "Turku"));
        var inLongPool = List.of(new AttributeFilter("pool", "50m"));
        return new Ruleset(
                new TenantId("acme"),
                3,
                AT.plusMillis(5),
                30,
                List.of(new Metric(1, uuid(11), "laps-swum", "Laps swum", "number", "laps", AT)),
                List.of(
                        new Attribute(2, uuid(12), "city", "City", AttributeType.USER, false),
                        new Attribute(3, uuid(13), "pool", "Pool", AttributeType.EVENT, false)),
                achievements(inTurku, inLongPool),
                new StreakSettings(
                        true,
                        StreakFrequency.WEEKLY,
                        StreakSettings.EvaluationMode.AND,
                        List.of(new StreakSettings.Condition("laps-swum", new BigDecimal("1"))),
                        new StreakSettings.Freezes(1, 3, 7, 2),
                        new StreakSettings.Personalization(
                                List.of(new StreakSettings.Bounds("laps-swum", new BigDecimal("0.5"), null))),
                        null,
                        null,
                        List.of()),
                List.of(pointsSystem(inTurku, inLongPool)),
                List.of(),
                new Settings(
                        10,
                        ZoneId.of("Europe/Helsinki"),
                        DayOfWeek.MONDAY,
                        false,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null),
                List.of(),
                Notifications.NONE,
                List.of(new ObjectIdentity("metric", "runs", 8, uuid(18), AT)),
                null,
                null);
    }

    private static List<Achievement> achievements(List<AttributeFilter> users, List<AttributeFilter> events) {
        Instant later = AT.plusMillis(1);
        return List.of(
                new Achievement(
                        4,
                        uuid(14),
                        "forty-laps",
                        "Forty laps",
                        null,
                        "https://example.net/40.png",
                        new AchievementTrigger.MetricTotal("laps-swum", new BigDecimal("40.5"), events, 9),
                        AchievementStatus.ACTIVE,
                        users,
                        true,
                        AT,
                        later,
                        later,
                        2),
                new Achievement(
                        10,
                        uuid(20),
                        "week",
                        "A week",
                        "Seven in a row.",
                        null,
                        new AchievementTrigger.StreakLength(7),
                        AchievementStatus.LOCKED,
                        List.of(),
                        true,
                        AT,
                        AT,
                        null,
                        0),
                new Achievement(
                        11,
                        uuid(21),
                        "profile",
                        "Profile",
                        null,
                        null,
                        new AchievementTrigger.Api(),
                        AchievementStatus.INACTIVE,
                        List.of(),
                        false,
                        AT,
                        AT,
                        null,
                        0),
                new Achievement(
                        12,
                        uuid(22),
                        "both",
                        "Both",
                        null,
                        null,
                        new AchievementTrigger.Composite(List.of("forty-laps", "week")),
                        AchievementStatus.ACTIVE,
                        List.of(),
                        true,
                        AT,
                        AT,
                        AT,
                        1));
    }

    private static PointsSystem pointsSystem(List<AttributeFilter> users, List<AttributeFilter> events) {
        Instant later = AT.plusMillis(1);
        return new PointsSystem(
                5,
                uuid(15),
                "gems",
                "Gems",
                "Shiny",
                null,
                500L,
                LevelRule.REACHES,
                List.of(
                        new Level(13, uuid(23), "bronze", "Bronze", "", null, 0),
                        new Level(14, uuid(24), "silver", "Silver", "Half of it.", "https://example.net/s.png", 250)),
                List.of(
                        new Boost(
                                15,
                                uuid(25),
                                "weekend",
                                "Weekend",
                                LocalDate.of(2026, 3, 7),
                                LocalDate.of(2026, 3, 8),
                                new BigDecimal("1.5"),
                                Rounding.NEAREST,
                                users,
                                AT),
                        new Boost(
                                16,
                                uuid(26),
                                "always",
                                "Always",
                                LocalDate.of(2026, 3, 1),
                                null,
                                new BigDecimal("2"),
                                Rounding.DOWN,
                                List.of(),
                                AT)),
                List.of(
                        trigger(
                                6,
                                "per-lap",
                                new TriggerRule.MetricThreshold("laps-swum", 10, events, true),
                                -20,
                                users,
                                later),
                        trigger(17, "forty", new TriggerRule.AchievementCompletion("forty-laps"), 20, List.of(), later),
                        trigger(18, "week", new TriggerRule.StreakReached(7), 70, List.of(), later),
                        trigger(
                                19,
                                "daily",
                                new TriggerRule.TimeInterval(TriggerRule.IntervalUnit.HOURS, 24),
                                1,
                                List.of(),
                                later),
                        trigger(20, "welcome", new TriggerRule.UserCreation(), 5, List.of(), null)));
    }

    /** @param activated null: the trigger is inactive */
    private static PointsTrigger trigger(
            int number, String key, TriggerRule rule, long points, List<AttributeFilter> users, Instant activated) {
        return new PointsTrigger(
                number,
                number,
                uuid(10 + number),
                key,
                rule,
                points,
                activated == null ? TriggerStatus.INACTIVE : TriggerStatus.ACTIVE,
                users,
                AT,
                AT.plusMillis(1),
                activated);
    }

    /** A ruleset from before statuses of achievements and triggers, and before levels, as current code reads it. */
    static Ruleset rulesetV1() {
        var trigger = new PointsTrigger(
                6,
                6,
                uuid(16),
                "per-lap",
                new TriggerRule.MetricThreshold("laps-swum", 10, List.of(), false),
                20,
                TriggerStatus.ACTIVE,
                List.of(),
                AT,
                AT.plusMillis(1),
                AT.plusMillis(1));
        return new Ruleset(
                new TenantId("acme"),
                3,
                Instant.EPOCH,
                9,
                List.of(new Metric(1, uuid(11), "laps-swum", "Laps swum", "number", "laps", AT)),
                List.of(
                        new Attribute(2, uuid(12), "city", "City", AttributeType.USER, false),
                        new Attribute(3, uuid(13), "pool", "Pool", AttributeType.EVENT, false)),
                List.of(new Achievement(
                        4,
                        uuid(14),
                        "forty-laps",
                        "Forty laps",
                        null,
                        "https://example.net/40.png",
                        new AchievementTrigger.MetricTotal("laps-swum", new BigDecimal("40.5"), List.of(), 0),
                        AchievementStatus.ACTIVE,
                        List.of(),
                        true,
                        AT,
                        AT,
                        AT,
                        1)),
                new StreakSettings(
                        true,
                        StreakFrequency.DAILY,
                        StreakSettings.EvaluationMode.AND,
                        List.of(new StreakSettings.Condition("laps-swum", new BigDecimal("1"))),
                        null,
                        null,
                        null,
                        null,
                        List.of()),
                List.of(new PointsSystem(
                        5,
                        uuid(15),
                        "gems",
                        "Gems",
                        "Shiny",
                        null,
                        500L,
                        LevelRule.EXCEEDS,
                        List.of(),
                        List.of(),
                        List.of(trigger))),
                List.of(),
                new Settings(
                        10,
                        ZoneId.of("Europe/Helsinki"),
                        DayOfWeek.SUNDAY,
                        false,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null),
                List.of(),
                Notifications.NONE,
                List.of(new ObjectIdentity("metric", "runs", 8, uuid(18), AT)),
                null,
                null);
    }

    private static UserChange user() {
        return new UserChange(
                IDA,
                Change.set("ida@example.net"),
                Change.set("Ida \"👩‍🚀\" Laine"),
                Change.set(ZoneId.of("Europe/Helsinki")),
                Change.set(List.of("token-1", "token-2")),
                Change.set(true),
                Change.set(new SignUp.OnDate(LocalDate.parse("2024-02-29"))),
                Map.of("city", Change.set("Turku"), "club", Change.clear()));
    }

    private static UUID uuid(int n) {
        return new UUID(0x3f0c8f1e7c1b4d5aL, 0x9a390d0f6b1c2a00L + n);
    }
}
