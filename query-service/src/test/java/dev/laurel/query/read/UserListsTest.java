package dev.laurel.query.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.processors.store.users.SearchTerms;
import dev.laurel.query.read.UserLists.ListPlace;
import dev.laurel.query.read.UserLists.Sort;
import dev.laurel.query.read.UserLists.UserPage;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.UserBody.ListedUserBody;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists of users by their indexes, compared with lists of all users that are put in order. */
final class UserListsTest {

    private static final List<String> WORDS =
            List.of("Ida", "idä", "IDO", "Bo", "Åbo", "ß", "Laine", "o'Neill", "한글", "🦊");
    private static final Pattern WORD_BEGINNING = Pattern.compile("(?<![\\p{L}\\p{N}])[\\p{L}\\p{N}]");
    private static final Comparator<String> BY_ID =
            Comparator.comparing(id -> Bytes.wrap(UserKey.of(id).bytes()));

    private final InMemoryUsers users = new InMemoryUsers();
    private final UserLists lists = new UserLists(users.localNode());
    private final Random random = new Random(20261127);
    private final TreeMap<String, Person> people = new TreeMap<>(BY_ID);

    private record Person(String id, String name, String email, Instant lastActivity) {

        /** The lowest term that begins with a search; null: none does. */
        String term(String search) {
            String folded = SearchTerms.ofSearch(search);
            var terms = new ArrayList<String>();
            if (email != null) {
                terms.add(SearchTerms.fold(email));
            }
            if (name != null) {
                String form = SearchTerms.fold(name);
                terms.add(form);
                WORD_BEGINNING.matcher(form).results().forEach(word -> terms.add(form.substring(word.start())));
            }
            return folded.isEmpty()
                    ? null
                    : terms.stream()
                            .filter(term -> term.startsWith(folded))
                            .min(UnicodeText.ORDER)
                            .orElse(null);
        }
    }

    @BeforeEach
    void rules() throws Exception {
        users.rules("2026-01-01T00:00:00Z", "{\"metrics\":{\"laps\":{}}}").now("2026-03-20T00:00:00Z");
    }

    /** @param dates over which the last events are spread */
    private void fill(int count, int dates) throws Exception {
        for (int i = 0; i < count; i++) {
            String id = List.of("", "ida-", "Ida/", "%", "ß").get(random.nextInt(5)) + random.nextInt(10_000);
            String name = random.nextInt(4) == 0 ? null : word() + " " + word() + " " + random.nextInt(9);
            String email = random.nextInt(3) == 0 ? id + "@example.net" : null;
            Instant at = random.nextInt(5) == 0
                    ? null
                    : Instant.parse("2026-03-01T00:00:00Z").plusSeconds(random.nextInt(dates * 86_400));
            if (people.containsKey(id)) {
                continue;
            }
            users.identify(
                    id,
                    (name == null ? "" : ",\"name\":\"" + name + "\"")
                            + (email == null ? "" : ",\"email\":\"" + email + "\""),
                    "2026-02-01T00:00:00Z");
            if (at != null) {
                users.event(id, "laps", 1, at.toString());
            }
            people.put(id, new Person(id, name, email, at));
        }
    }

    private String word() {
        return WORDS.get(random.nextInt(WORDS.size()));
    }

    private List<String> read(String search, Sort sort, int limit) {
        var ids = new ArrayList<String>();
        ListPlace after = null;
        do {
            UserPage page = lists.find(TenantId.NONE, search, sort, after, limit);
            assertTrue(page.users().size() <= limit);
            assertTrue(page.next() == null || page.users().size() == limit, "a page is cut short");
            page.users().stream().map(ListedUserBody::id).forEach(ids::add);
            after = page.next();
        } while (after != null);
        return ids;
    }

    private List<String> expected(String search, Sort sort) {
        Comparator<Person> byId = Comparator.comparing(Person::id, BY_ID);
        return people.values().stream()
                .filter(one -> one.id.startsWith(search) || one.term(search) != null)
                .sorted(
                        switch (sort) {
                            case ID -> byId;
                            case MATCH ->
                                Comparator.comparing(
                                                (Person one) -> one.id.startsWith(search) ? null : one.term(search),
                                                Comparator.nullsFirst(UnicodeText.ORDER))
                                        .thenComparing(byId);
                            case LAST_ACTIVITY ->
                                Comparator.comparing(
                                                Person::lastActivity,
                                                Comparator.nullsLast(Comparator.<Instant>reverseOrder()))
                                        .thenComparing(byId);
                        })
                .map(Person::id)
                .toList();
    }

    @Test
    void shouldListWhatSearchingAllUsersWouldFind() throws Exception {
        fill(400, 15);

        for (String search : List.of(
                "", "i", "ID", "ida", "IDA", "ida ", "ida l", "Ida/", "%", "b", "ß", "ss", "a", "한", "하", "🦊", "neill",
                "o", "nobody", " ", "1", "ida-1", "x\u0301")) {
            for (Sort sort : Sort.values()) {
                for (int limit : new int[] {1, 3, 100}) {
                    assertEquals(expected(search, sort), read(search, sort, limit), search + " " + sort + " " + limit);
                }
            }
        }
    }

    /** On dates with so many users, order is by id within the date. */
    @Test
    void shouldListUsersOfLargeDatesById() throws Exception {
        fill(1_500, 2);
        List<String> expected = people.values().stream()
                .sorted(Comparator.comparing(
                                (Person one) -> one.lastActivity == null
                                        ? null
                                        : one.lastActivity
                                                .atZone(ZoneOffset.UTC)
                                                .toLocalDate(),
                                Comparator.nullsLast(Comparator.reverseOrder()))
                        .thenComparing(Person::id, BY_ID))
                .map(Person::id)
                .toList();

        for (int limit : new int[] {7, 100}) {
            assertEquals(expected, read("", Sort.LAST_ACTIVITY, limit));
        }
    }

    /** Between pages users come, go, become active and are renamed: who does not change is listed exactly once. */
    @Test
    void shouldListUnchangedUsersOnceWhileOthersChange() throws Exception {
        fill(300, 10);
        var steady = new HashSet<>(
                people.keySet().stream().filter(id -> id.hashCode() % 3 != 0).toList());
        List<String> changing =
                people.keySet().stream().filter(id -> !steady.contains(id)).toList();
        for (Sort sort : List.of(Sort.ID, Sort.LAST_ACTIVITY)) {
            var seen = new ArrayList<String>();
            ListPlace after = null;
            int changes = 0;
            do {
                UserPage page = lists.find(TenantId.NONE, "", sort, after, 9);
                page.users().stream()
                        .map(ListedUserBody::id)
                        .filter(steady::contains)
                        .forEach(seen::add);
                after = page.next();
                for (int i = 0; i < 5 && changes < changing.size(); i++) {
                    String id = changing.get(changes++);
                    users.event(id, "laps", 1, "2026-03-%02dT00:00:00Z".formatted(12 + changes % 7))
                            .identify(id, ",\"name\":\"" + word() + "\"", "2026-03-19T00:00:00Z")
                            .identify("new-" + sort + changes, ",\"name\":\"Ida\"", "2026-03-19T00:00:00Z");
                }
            } while (after != null);
            assertEquals(steady.size(), seen.size(), sort.toString());
            assertEquals(steady, new HashSet<>(seen));
        }
    }

    @Test
    void shouldPutOnlySoManyFoundUsersInAnotherOrder() throws Exception {
        for (int i = 0; i <= UserLists.MAX_SORTED; i++) {
            users.identify("u" + i, ",\"name\":\"Ida\"", "2026-02-01T00:00:00Z");
        }
        assertNull(lists.find(TenantId.NONE, "ida", Sort.ID, null, 10));
        assertNull(lists.find(TenantId.NONE, "u", Sort.LAST_ACTIVITY, null, 10));
        assertEquals(UserLists.MAX_SORTED + 1, read("ida", Sort.MATCH, 100).size());
        assertEquals(
                11, lists.find(TenantId.NONE, "u10", Sort.ID, null, 100).users().size());
    }

    /** Thousands of addresses begin as the ids do, so that a page looks at many terms of users who are listed already. */
    @Test
    void shouldEndPageEarlyBehindManyUsersWhoWereFoundByTheirIds() throws Exception {
        for (int i = 0; i < 41_000; i++) {
            String id = "u" + i + "@example.net";
            users.identify(id, ",\"email\":\"" + id + "\"", "2026-02-01T00:00:00Z");
        }
        users.identify("last", ",\"email\":\"u~@example.net\"", "2026-02-01T00:00:00Z");

        int pages = 0;
        var ids = new ArrayList<String>();
        ListPlace after = new ListPlace.ById(null, new UserId("v"));
        do {
            UserPage page = lists.find(TenantId.NONE, "u", Sort.MATCH, after, 100);
            page.users().stream().map(ListedUserBody::id).forEach(ids::add);
            after = page.next();
            pages++;
        } while (after != null);
        assertEquals(List.of("last"), ids);
        assertEquals(2, pages);
    }
}
