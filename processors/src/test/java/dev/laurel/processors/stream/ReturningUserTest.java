package dev.laurel.processors.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.engine.MigratedUser;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange.SignUp;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Achievement.AchievementStatus;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import dev.laurel.schemas.ruleset.Attribute.AttributeFilter;
import dev.laurel.schemas.ruleset.Boost;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.PointsTrigger.TriggerRule;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.StreakSettings.Condition;
import dev.laurel.schemas.ruleset.StreakSettings.Freezes;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.topic.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The cost of a user who returns after many versions of a large ruleset, with documents in a file as in the topic. Nothing is known of
 * the versions between. Sizes:
 * {@code -Dlaurel.versions=1000 -Dlaurel.objects=2000 -Dlaurel.users=400}, which are those of {@code -Dlaurel.full=true}; then the
 * time is checked, too. Prints one line per figure.
 */
class ReturningUserTest {

    private static final boolean IS_FULL = Boolean.getBoolean("laurel.full");
    private static final int VERSIONS = Integer.getInteger("laurel.versions", IS_FULL ? 1_000 : 60);
    private static final int OBJECTS = Integer.getInteger("laurel.objects", IS_FULL ? 2_000 : 100);
    private static final int USERS = Integer.getInteger("laurel.users", IS_FULL ? 400 : 20);
    private static final boolean IS_LARGE = VERSIONS >= 1_000;
    private static final Instant BEGINNING = Instant.parse("2026-03-01T00:00:00Z");
    private static final Instant FIRST_EDIT = BEGINNING.plus(Duration.ofDays(40));
    private static final Duration BETWEEN_EDITS = Duration.ofMinutes(14);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Random random = new Random(7);
    private long offset;

    @Test
    void shouldMigrateAUserWhoReturnsAfterManyVersions(@TempDir Path directory) throws IOException {
        try (var archive = new Archive(directory.resolve("rulesets"))) {
            var edits = new Edits(random);
            archive.add(edits.first());
            while (archive.versions.size() < VERSIONS + 1) {
                archive.add(edits.next());
            }
            System.out.printf(
                    "%,d versions of %,d objects, the last of %,d bytes%n",
                    VERSIONS, OBJECTS, archive.sizeOf(VERSIONS + 1));
            check(archive);
        }
    }

    private void check(Archive archive) {
        List<MigratedUser> users = users(archive);
        wake(users, archive);
        Instant now = FIRST_EDIT.plus(BETWEEN_EDITS.multipliedBy(VERSIONS + 1L));
        long newest = VERSIONS + 1L;

        var versions = new RulesetVersions(archive, PATIENCE);
        CompiledRuleset present = versions.newest(TenantId.NONE);
        warmUp(archive, users, now);
        int read = archive.reads.get();
        long coldNs = returnNs(users.getFirst().copy(), versions, present, now);
        assertTrue(archive.reads.get() - read <= 2, "reads the version of the user and the last before a difference");
        List<MigratedUser> returning = users.stream().map(MigratedUser::copy).toList();
        long[] warmNs = returning.stream()
                .mapToLong(user -> returnNs(user, versions, present, now))
                .toArray();
        long left = users.stream()
                .map(user -> user.state().rulesVersion())
                .distinct()
                .count();
        assertTrue(archive.reads.get() - read <= left + 1, "reads the versions at which users are");
        long[] presentNs = returning.stream()
                .mapToLong(user -> returnNs(user, versions, present, now))
                .toArray();
        for (MigratedUser user : users.subList(0, Math.min(users.size(), 10))) {
            user.check(
                    CommandContext.ofRead(UserKey.of(user.state().id().value()), now.toEpochMilli()),
                    newest,
                    version -> versions.get(TenantId.NONE, version),
                    version -> new CompiledRuleset(
                            archive.version(TenantId.NONE, version).alikeSince(null)),
                    "user");
        }
        long parseNs = System.nanoTime();
        archive.version(TenantId.NONE, newest);
        print("one document, read and parsed", System.nanoTime() - parseNs);
        print("cold, other versions are read, parsed and compiled", coldNs);
        Arrays.sort(warmNs);
        print("warm, p50", warmNs[warmNs.length / 2]);
        print("warm, p99", warmNs[warmNs.length * 99 / 100]);
        print("warm, the slowest", warmNs[warmNs.length - 1]);
        Arrays.sort(presentNs);
        print("of it, the event alone, p50", presentNs[presentNs.length / 2]);
        print("of it, the event alone, p99", presentNs[presentNs.length * 99 / 100]);
        if (IS_LARGE) {
            assertTrue(warmNs[warmNs.length * 99 / 100] <= 5_000_000, "5 ms");
        }
        assertEquals(newest, present.version());
    }

    /** Wakes users when something is due, as ticks do, under the rules of the time. Nothing else happens to them. */
    private void wake(List<MigratedUser> users, Archive archive) {
        for (long version = 1; version <= VERSIONS; version++) {
            CompiledRuleset rules = archive.compiledAlone(version);
            long endMs = archive.publishedMs.get(Math.toIntExact(version));
            for (MigratedUser user : users) {
                while (user.state().wakeUpMs() != 0 && user.state().wakeUpMs() <= endMs) {
                    user.tick(
                            context(
                                    user.state().id(),
                                    Instant.ofEpochMilli(user.state().wakeUpMs())),
                            rules,
                            archive::compiledAlone);
                }
            }
        }
    }

    /** Returns until the code is compiled. */
    private void warmUp(Archive archive, List<MigratedUser> users, Instant now) {
        var versions = new RulesetVersions(archive, PATIENCE);
        CompiledRuleset present = versions.newest(TenantId.NONE);
        for (int i = 0; i < (IS_LARGE ? 20 : 1); i++) {
            users.forEach(user -> returnNs(user.copy(), versions, present, now));
        }
    }

    private static void print(String figure, long ns) {
        System.out.printf("%-50s %,12.3f ms%n", figure, ns / 1e6);
    }

    private long returnNs(MigratedUser user, RulesetVersions versions, CompiledRuleset present, Instant now) {
        // Other processes may take time, too.
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long startNs = threads.getCurrentThreadCpuTime();
        user.apply(
                event(user.state().id(), "m0"),
                context(user.state().id(), now),
                present,
                version -> versions.get(TenantId.NONE, version));
        long ns = threads.getCurrentThreadCpuTime() - startNs;
        assertEquals(present.version(), user.state().rulesVersion());
        return ns;
    }

    private CommandContext context(UserId user, Instant at) {
        return new CommandContext(UserKey.of(user.value()), at.toEpochMilli(), 0, offset++, Long.MIN_VALUE);
    }

    private RecordEvent event(UserId user, String metric) {
        var change = new UserChange(
                user,
                Change.set("ida@example.net"),
                Change.keep(),
                Change.set(ZoneId.of(
                        List.of("UTC", "Europe/Helsinki", "Asia/Kolkata").get(Math.floorMod(user.hashCode(), 3)))),
                Change.keep(),
                Change.keep(),
                Change.set(new SignUp.OnDate(LocalDate.of(2024, 3, 1).plusDays(user.hashCode() % 60))),
                Map.of("city", Change.set(user.hashCode() % 2 == 0 ? "a" : "b")));
        return new RecordEvent(
                change,
                metric,
                new BigDecimal(1 + random.nextInt(20)),
                random.nextBoolean() ? Map.of("pool", "a") : Map.of(),
                null,
                new UUID(1, offset));
    }

    /** Users with some weeks of events under the first version. */
    private List<MigratedUser> users(Archive archive) {
        CompiledRuleset first = archive.compiledAlone(1);
        var users = new ArrayList<MigratedUser>();
        for (int i = 0; i < USERS; i++) {
            var id = new UserId("user-" + i);
            var user = new MigratedUser(UserKey.of(id.value()));
            Instant at = BEGINNING;
            int days = random.nextInt(40);
            for (int day = 0; day < days; day++) {
                at = BEGINNING.plus(Duration.ofDays(day)).plusSeconds(random.nextInt(86_400));
                for (int j = random.nextInt(4); j > 0; j--) {
                    user.apply(event(id, "m" + random.nextInt(3)), context(id, at), first, _ -> first);
                }
            }
            user.apply(event(id, "m0"), context(id, at), first, _ -> first);
            users.add(user);
        }
        return users;
    }

    /** Documents in a file. */
    private static final class Archive implements Rulesets, AutoCloseable {

        private record Place(long offset, int size) {}

        private final FileChannel file;
        private final List<Place> versions = new ArrayList<>();
        private final AtomicInteger reads = new AtomicInteger();
        private final List<Long> publishedMs = new ArrayList<>();

        Archive(Path path) throws IOException {
            file = FileChannel.open(
                    path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.READ);
        }

        void add(Ruleset document) throws IOException {
            byte[] bytes = Topics.RULESETS.value().serializer().serialize(Topics.RULESETS.name(), document);
            publishedMs.add(document.published().toEpochMilli());
            versions.add(new Place(file.size(), bytes.length));
            file.write(ByteBuffer.wrap(bytes), file.size());
        }

        int sizeOf(int version) {
            return versions.get(version - 1).size();
        }

        CompiledRuleset compiledAlone(long version) {
            return new CompiledRuleset(version(TenantId.NONE, version));
        }

        @Override
        public Ruleset newest(TenantId tenant) {
            return version(tenant, versions.size());
        }

        @Override
        public Ruleset version(TenantId tenant, long version) {
            Place place = versions.get(Math.toIntExact(version - 1));
            var bytes = ByteBuffer.allocate(place.size());
            try {
                file.read(bytes, place.offset());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return Topics.RULESETS.value().deserializer().deserialize(Topics.RULESETS.name(), bytes.array());
        }

        @Override
        public Ruleset await(TenantId tenant, long version, Duration timeout) {
            Ruleset document = version(tenant, version);
            reads.incrementAndGet();
            return document;
        }

        @Override
        public boolean awaitNewest(Duration timeout) {
            return true;
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    /** Edits a ruleset as operators do, one object at a time. */
    private static final class Edits {

        private final Random random;
        private Ruleset current = Ruleset.empty(TenantId.NONE);
        private Instant now = FIRST_EDIT;
        private int added;

        Edits(Random random) {
            this.random = random;
        }

        Ruleset first() {
            var metrics = entries("m", OBJECTS / 25, _ -> Map.of());
            var achievements = entries("a", OBJECTS / 2, this::achievement);
            var systems = entries(
                    "s",
                    Math.max(1, OBJECTS / 50),
                    i -> Map.of(
                            "levels",
                            entries("l", 3, l -> Map.of("points", l * 50)),
                            "triggers",
                            entries("t", 20, this::trigger)));
            var boards = entries(
                    "b",
                    20,
                    i -> Map.of(
                            "status",
                            i % 2 == 0 ? "active" : "inactive",
                            "start",
                            "2026-01-01",
                            "rankBy",
                            i % 5 == 0 ? "streak" : "metric",
                            i % 5 == 0 ? "name" : "metric",
                            i % 5 == 0 ? "Board" : "m" + i % 3));
            var templates = entries(
                    "e",
                    8,
                    i -> Map.of(
                            "type",
                            List.of("achievement_completed", "recap", "reactivation", "streak_reminder")
                                    .get(i % 4),
                            "channel",
                            "email",
                            "subject",
                            "Hello",
                            "body",
                            "text ".repeat(400),
                            "name",
                            "Template " + i,
                            "userAttributes",
                            i < 4 ? Map.of() : Map.of("city", "a")));
            RulesetSource source = RulesetSource.of(Map.of(
                    "metrics",
                    metrics,
                    "attributes",
                    Map.of("user", Map.of("city", Map.of()), "event", Map.of("pool", Map.of())),
                    "achievements",
                    achievements,
                    "points",
                    systems,
                    "leaderboards",
                    boards,
                    "streak",
                    Map.of(
                            "freezesEnabled",
                            true,
                            "initialFreezes",
                            2,
                            "maxFreezes",
                            3,
                            "freezeAutoEarnInterval",
                            7,
                            "freezeAutoEarnAmount",
                            1),
                    "notifications",
                    Map.of("templates", templates)));
            current = TestRulesets.next(current, source, BEGINNING.minusSeconds(60));
            return current;
        }

        private interface Maker {
            Map<String, Object> make(int index);
        }

        private static Map<String, Object> entries(String prefix, int count, Maker maker) {
            var entries = new LinkedHashMap<String, Object>();
            for (int i = 0; i < count; i++) {
                entries.put(prefix + i, maker.make(i));
            }
            return entries;
        }

        private Map<String, Object> achievement(int index) {
            var a = new LinkedHashMap<String, Object>();
            a.put("name", "Achievement number " + index);
            a.put("description", "Swim as far as this achievement says, wherever you like, and tell your friends.");
            a.put("status", index % 10 == 9 ? "inactive" : "active");
            switch (index % 10) {
                case 6 -> {
                    a.put("trigger", "streak");
                    a.put("streakLength", 1 + index);
                }
                case 7 -> {
                    a.put("trigger", "achievement");
                    a.put("achievements", List.of("a" + (index - 1), "a" + (index - 2)));
                }
                case 8 ->
                    a.putAll(
                            index % 20 == 8
                                    ? Map.of("trigger", "api")
                                    : Map.of("trigger", "anniversary", "anniversaryYears", 1 + index % 50));
                default -> {
                    a.put("trigger", "metric");
                    a.put("metric", "m" + index % (OBJECTS / 25));
                    a.put("value", new BigDecimal(1 + index * 3));
                    if (index % 10 == 5) {
                        a.put("eventAttributes", Map.of("pool", "a"));
                    }
                }
            }
            return a;
        }

        private Map<String, Object> trigger(int index) {
            var trigger = new LinkedHashMap<String, Object>(Map.of("points", 5));
            switch (index) {
                case 0 -> trigger.putAll(Map.of("type", "achievement", "achievement", "a0"));
                case 1 -> trigger.putAll(Map.of("type", "streak", "streakLength", 7));
                case 2 -> trigger.putAll(Map.of("type", "user_creation"));
                default -> trigger.putAll(Map.of("type", "metric", "metric", "m" + index % 3, "threshold", 10 + index));
            }
            return trigger;
        }

        /** The next version. */
        Ruleset next() {
            now = now.plus(BETWEEN_EDITS);
            int roll = random.nextInt(100);
            Ruleset changed = roll < 55 ? achievements(roll) : roll < 86 ? points(roll) : others(roll);
            current = CompiledRuleset.noted(
                    current, Records.with(changed, "version", current.version() + 1, "published", now));
            return current;
        }

        private Ruleset achievements(int roll) {
            var all = new ArrayList<>(current.achievements());
            int index = random.nextInt(all.size());
            Achievement old = all.get(index);
            if (roll < 25) {
                all.set(index, Records.with(old, "name", "Name " + roll, "updated", now));
            } else if (roll < 38) {
                int number = current.nextNumber();
                boolean isComposite = roll < 27;
                all.add(activated(new Achievement(
                        number,
                        new UUID(9, number),
                        "new" + added++,
                        "New",
                        "Text",
                        null,
                        isComposite
                                ? new AchievementTrigger.Composite(List.of("a0", "a" + random.nextInt(5)))
                                : new AchievementTrigger.MetricTotal(
                                        "m" + random.nextInt(3), new BigDecimal(1 + random.nextInt(600)), List.of(), 0),
                        AchievementStatus.ACTIVE,
                        List.of(),
                        true,
                        now,
                        now,
                        now,
                        0)));
                return Records.with(current, "achievements", all, "nextNumber", number + 1);
            } else if (roll < 44) {
                all.stream()
                        .filter(a -> a.status() == AchievementStatus.INACTIVE)
                        .findAny()
                        .ifPresent(a -> all.set(
                                all.indexOf(a), activated(Records.with(a, "status", AchievementStatus.ACTIVE))));
            } else if (old.isActive() && roll < 48) {
                all.set(
                        index,
                        activated(Records.with(old, "userAttributes", List.of(new AttributeFilter("city", "a")))));
            } else if (old.isActive() && old.trigger() instanceof AchievementTrigger.MetricTotal total) {
                boolean isFiltered = roll < 51;
                int number = current.nextNumber();
                all.set(
                        index,
                        activated(Records.with(
                                old,
                                "trigger",
                                new AchievementTrigger.MetricTotal(
                                        total.metric(),
                                        total.value().add(BigDecimal.ONE),
                                        isFiltered ? List.of(new AttributeFilter("pool", "a")) : List.of(),
                                        isFiltered ? number : 0))));
                return Records.with(current, "achievements", all, "nextNumber", number + 1);
            } else {
                all.set(index, Records.with(old, "description", "Described " + roll, "updated", now));
            }
            return Records.with(current, "achievements", all);
        }

        private Achievement activated(Achievement achievement) {
            return Records.with(achievement, "updated", now, "activated", now, "activeSince", current.version() + 1);
        }

        private Ruleset points(int roll) {
            var all = new ArrayList<>(current.pointsSystems());
            int index = random.nextInt(all.size());
            PointsSystem system = all.get(index);
            int number = current.nextNumber();
            var triggers = new ArrayList<>(system.triggers());
            int chosen = random.nextInt(triggers.size());
            PointsTrigger old = triggers.get(chosen);
            if (roll < 66) {
                triggers.set(chosen, Records.with(old, "points", 1L + random.nextInt(50), "updated", now));
            } else if (roll < 74 && old.rule() instanceof TriggerRule.MetricThreshold rule) {
                triggers.set(
                        chosen,
                        Records.with(
                                old,
                                "number",
                                number,
                                "activated",
                                now,
                                "rule",
                                new TriggerRule.MetricThreshold(
                                        rule.metric(), rule.threshold() + 1, List.of(), false)));
            } else if (roll < 79) {
                boolean isTimed = roll < 75;
                triggers.add(new PointsTrigger(
                        number,
                        number,
                        new UUID(8, number),
                        "new" + added++,
                        isTimed
                                ? new TriggerRule.TimeInterval(TriggerRule.IntervalUnit.DAYS, 3 + random.nextInt(4))
                                : new TriggerRule.MetricThreshold("m0", 7, List.of(), false),
                        3,
                        PointsTrigger.TriggerStatus.ACTIVE,
                        List.of(),
                        now,
                        now,
                        now));
            } else if (roll < 83) {
                var levels = new ArrayList<>(system.levels());
                levels.set(2, Records.with(levels.get(2), "points", 100L + random.nextInt(100)));
                all.set(index, Records.with(system, "levels", levels));
                return Records.with(current, "pointsSystems", all);
            } else {
                var boosts = new ArrayList<>(system.boosts());
                LocalDate today = now.atZone(ZoneOffset.UTC).toLocalDate();
                boosts.add(new Boost(
                        number,
                        new UUID(6, number),
                        "boost" + added++,
                        "Boost",
                        today,
                        today.plusDays(2),
                        new BigDecimal("1.5"),
                        Boost.Rounding.DOWN,
                        List.of(),
                        now));
                all.set(index, Records.with(system, "boosts", boosts));
                return Records.with(current, "pointsSystems", all, "nextNumber", number + 1);
            }
            all.set(index, Records.with(system, "triggers", triggers));
            return Records.with(current, "pointsSystems", all, "nextNumber", number + 1);
        }

        private Ruleset others(int roll) {
            if (roll < 89) {
                boolean isFreezes = roll < 87;
                var changed = isFreezes
                        ? Records.with(current.streak(), "freezes", new Freezes(2, 2 + random.nextInt(4), 7, 1))
                        : Records.with(
                                current.streak(),
                                "conditions",
                                List.of(new Condition("m0", new BigDecimal(1 + random.nextInt(9)))));
                return Records.with(current, "streak", changed);
            }
            if (roll < 92) {
                var boards = new ArrayList<>(current.leaderboards());
                int index = random.nextInt(boards.size());
                Leaderboard old = boards.get(index);
                boards.set(
                        index,
                        Records.with(
                                old,
                                "status",
                                old.status() == LeaderboardStatus.ACTIVE
                                        ? LeaderboardStatus.INACTIVE
                                        : LeaderboardStatus.ACTIVE));
                return Records.with(current, "leaderboards", boards);
            }
            if (roll < 99) {
                var templates = new ArrayList<>(current.notifications().templates());
                int index = random.nextInt(templates.size());
                templates.set(
                        index,
                        Records.with(
                                templates.get(index),
                                "text",
                                new Template.Text("Hello " + roll, "other text ".repeat(150)),
                                "updated",
                                now));
                return Records.with(
                        current, "notifications", Records.with(current.notifications(), "templates", templates));
            }
            var timing =
                    Records.with(current.notifications().timing(), "reactivationDays", List.of(3 + random.nextInt(20)));
            return Records.with(current, "notifications", Records.with(current.notifications(), "timing", timing));
        }
    }
}
