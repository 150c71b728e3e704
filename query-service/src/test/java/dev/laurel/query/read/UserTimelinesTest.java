package dev.laurel.query.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.query.partition.CurrentUsers;
import dev.laurel.query.read.UserTimelines.TimelinePage;
import dev.laurel.query.read.UserTimelines.TimelinePlace;
import dev.laurel.query.read.UserTimelines.Type;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.UserBody.TimelineEntryBody;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Timelines of users (docs/admin-api.md B7). */
final class UserTimelinesTest {

    private static final Set<Type> ALL = EnumSet.allOf(Type.class);
    private static final UserKey IDA = UserKey.of("ida");

    private final InMemoryUsers users = new InMemoryUsers();
    private final UserTimelines timelines = timelines(UserTimelines.MAX_AWARDS);

    private UserTimelines timelines(int maxAwards) {
        return new UserTimelines(new CurrentUsers(users.partitions(), users.rulesets(), users.clock()), maxAwards);
    }

    @BeforeEach
    void rules() throws Exception {
        users.rules("2026-01-01T00:00:00Z", """
            {"metrics":{"laps":{}},
             "streak":{"frequency":"daily","freezesEnabled":true,"initialFreezes":1,"maxFreezes":2},
             "achievements":{"ten":{"name":"Ten","trigger":"metric","metric":"laps","value":10}},
             "points":{"gems":{"levels":{"seal":{"name":"Seal","points":10}},
               "triggers":{"lap":{"type":"metric","metric":"laps","threshold":1,"points":1}}},
              "coins":{"triggers":{"join":{"type":"user_creation","points":7}}}}}\
            """);
    }

    private void command(String fields, String at) throws Exception {
        users.command("ida", "{\"user\":{\"id\":\"ida\"}," + fields + "}", at);
    }

    private List<TimelineEntryBody> read(UserTimelines from, Set<Type> types, int limit) {
        var entries = new ArrayList<TimelineEntryBody>();
        TimelinePlace after = null;
        for (int pages = 0; pages < 2_000; pages++) {
            TimelinePage page = from.page(IDA, types, after, limit);
            assertTrue(page.entries().size() <= limit);
            entries.addAll(page.entries());
            after = page.next();
            if (after == null) {
                return entries;
            }
        }
        throw new AssertionError("the timeline does not end: " + entries.size());
    }

    private List<String> shown(Set<Type> types) {
        return read(timelines, types, 100).stream()
                .map(entry -> entry.at().toString().substring(0, 16) + " "
                        + entry.type() + entry.date().map(date -> " on " + date).orElse("")
                        + entry.length().map(length -> " " + length).orElse("")
                        + entry.award()
                                .map(award -> " +" + award.awarded() + " by "
                                        + award.trigger().type())
                                .orElse("")
                        + entry.achievement().map(named -> " " + named.key()).orElse(""))
                .toList();
    }

    /** A week with a freeze, a loss, a restore, a reset, a pause and a boost. */
    private void live() throws Exception {
        users.event("ida", "laps", 4, "2026-03-02T10:00:00Z");
        users.event("ida", "laps", 6, "2026-03-03T10:00:00Z");
        users.event("ida", "laps", 1, "2026-03-05T10:00:00Z");
        command("\"type\":\"restore-streak\"", "2026-03-08T09:00:00Z");
        users.event("ida", "laps", 1, "2026-03-08T10:00:00Z");
        command(
                "\"type\":\"plan-pause\",\"pauseId\":\"00000000-0000-4000-8000-000000000001\",\"start\":\"2026-03-10\","
                        + "\"end\":\"2026-03-11\"",
                "2026-03-09T08:00:00Z");
        command(
                "\"type\":\"grant-boost\",\"boostId\":\"00000000-0000-4000-8000-000000000002\",\"system\":\"gems\","
                        + "\"name\":\"Back\",\"start\":\"2026-03-10\",\"multiplier\":2",
                "2026-03-09T09:00:00Z");
        command("\"type\":\"reset-streak\"", "2026-03-09T12:00:00Z");
        users.event("ida", "laps", 1, "2026-03-10T10:00:00Z");
        users.now("2026-03-12T12:00:00Z");
    }

    @Test
    void shouldShowEverythingNewestFirst() throws Exception {
        live();

        assertEquals(
                List.of(
                        "2026-03-12T00:00 streak.pause_ended on 2026-03-11",
                        "2026-03-10T10:00 points.awarded +2 by metric",
                        "2026-03-10T00:00 streak.started on 2026-03-10 1",
                        "2026-03-10T00:00 points.boost_started on 2026-03-10",
                        "2026-03-10T00:00 streak.pause_started on 2026-03-10",
                        "2026-03-09T12:00 streak.reset on 2026-03-09",
                        "2026-03-09T09:00 points.boost_created",
                        "2026-03-09T08:00 streak.pause_planned",
                        "2026-03-08T10:00 points.awarded +1 by metric",
                        "2026-03-08T00:00 streak.extended on 2026-03-08 4",
                        "2026-03-08T00:00 streak.restored on 2026-03-08 3",
                        "2026-03-07T00:00 streak.lost on 2026-03-06 3",
                        "2026-03-05T10:00 points.level_changed",
                        "2026-03-05T10:00 points.awarded +1 by metric",
                        "2026-03-05T00:00 streak.extended on 2026-03-05 3",
                        "2026-03-05T00:00 streak.freeze_consumed on 2026-03-04 2",
                        "2026-03-03T10:00 points.awarded +6 by metric",
                        "2026-03-03T10:00 achievement.completed ten",
                        "2026-03-03T00:00 streak.extended on 2026-03-03 2",
                        "2026-03-02T10:00 points.awarded +4 by metric",
                        "2026-03-02T10:00 points.awarded +7 by user_creation",
                        "2026-03-02T10:00 streak.started on 2026-03-02 1",
                        "2026-03-02T10:00 user.created"),
                shown(ALL));
    }

    @Test
    void shouldShowTheSameInPagesOfEverySize() throws Exception {
        live();
        List<TimelineEntryBody> all = read(timelines, ALL, 100);

        for (int limit = 1; limit <= all.size(); limit++) {
            assertEquals(all, read(timelines, ALL, limit), "by " + limit);
            assertEquals(all, read(timelines(0), ALL, limit), "by " + limit + ", ending early");
        }
        for (Type type : Type.values()) {
            assertEquals(
                    all.stream()
                            .filter(entry -> entry.type().equals(type.text()))
                            .toList(),
                    read(timelines, Set.of(type), 2),
                    type.text());
        }
    }

    /** Many pages of the ledger, with late awards and rare changes of the level, in pages that end early. */
    @Test
    void shouldReadLongLedgersInPages() throws Exception {
        for (int i = 0; i < 500; i++) {
            users.event(
                    "ida",
                    "laps",
                    i % 5 == 0 ? 3 : 1,
                    "2026-03-%02dT%02d:00:00Z".formatted(i % 7 == 0 ? 2 : 3 + i / 24, i % 24));
        }
        users.now("2026-03-30T12:00:00Z");
        List<TimelineEntryBody> all = read(timelines, ALL, 100);

        assertEquals(
                501, all.stream().filter(entry -> entry.award().isPresent()).count());
        assertEquals(all, read(timelines, ALL, 7));
        var totals = all.stream()
                .flatMap(entry -> entry.award().stream())
                .filter(award -> award.trigger().type().equals("metric"))
                .map(award -> award.total())
                .toList();
        assertEquals(totals.stream().sorted((a, b) -> Long.compare(b, a)).toList(), totals);
        TimelinePage first = timelines(100).page(IDA, Set.of(Type.LEVEL_CHANGED), null, 100);
        assertEquals(List.of(), first.entries());
        assertFalse(first.next() == null);
        assertEquals(1, read(timelines(100), Set.of(Type.LEVEL_CHANGED), 100).size());
    }

    @Test
    void shouldNotShowInLaterPagesWhatHappensMeanwhile() throws Exception {
        live();
        List<TimelineEntryBody> before = read(timelines, ALL, 100);
        TimelinePage first = timelines.page(IDA, ALL, null, 3);
        users.event("ida", "laps", 1, "2026-03-12T10:00:00Z");
        var all = new ArrayList<>(first.entries());
        all.addAll(timelines.page(IDA, ALL, first.next(), 100).entries());

        assertEquals(
                before.stream().map(TimelineEntryBody::type).toList(),
                all.stream().map(TimelineEntryBody::type).toList());
    }

    @Test
    void shouldShowDetailsAsTheApiDoes() throws Exception {
        live();
        String json = new String(
                Json.write(read(
                        timelines,
                        EnumSet.of(
                                Type.LEVEL_CHANGED, Type.STREAK_RESET, Type.ACHIEVEMENT_COMPLETED, Type.BOOST_CREATED),
                        10)),
                UTF_8);

        assertTrue(
                json.matches(
                        "\\[\\{\"type\":\"streak.reset\",\"at\":\"2026-03-09T12:00:00.000Z\",\"date\":\"2026-03-09\",\"isUndone\":false},"
                                + "\\{\"type\":\"points.boost_created\",\"at\":\"2026-03-09T09:00:00.000Z\",\"points\":\\{"
                                + "\"id\":\"[^\"]*\",\"key\":\"gems\",\"name\":\"[^\"]*\"},"
                                + "\"boost\":\\{\"id\":\"[^\"]*\",\"name\":\"Back\",.*},"
                                + "\\{\"type\":\"points.level_changed\",\"at\":\"2026-03-05T10:00:00.000Z\",\"points\":\\{[^}]*},"
                                + "\"level\":\\{"
                                + "\"id\":\"[^\"]*\",\"key\":\"seal\",[^}]*},\"previousLevel\":null},"
                                + "\\{\"type\":\"achievement.completed\",\"at\":\"2026-03-03T10:00:00.000Z\",\"achievement\":\\{[^}]*"
                                + "\"key\":\"ten\",\"name\":\"Ten\"}}]"),
                json);
    }

    @Test
    void shouldKnowNoUnknownUser() {
        assertNull(timelines.page(UserKey.of("nobody"), ALL, null, 10));
    }
}
