package dev.laurel.query.question;

import dev.laurel.processors.core.user.Profile;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.core.view.Bodies;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.wire.UserBody;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;

/**
 * The newest users of a tenant. A partition goes through all of its users, at a cost that grows with their number, and holds
 * no more than are asked for.
 *
 * @param search what id, name or email contains, in lower case; empty: anything
 * @param limit how many
 */
public record ListUsers(TenantId tenant, String search, int limit) implements Question.OfUsers<ListUsers.Answer> {

    private static final Comparator<UserBody> NEWEST_FIRST = Comparator.comparing(UserBody::created).reversed()
            .thenComparing(UserBody::id);

    /** @param users newest first */
    public record Answer(List<UserBody> users) {}

    @Override
    public Class<Answer> answerType() {
        return Answer.class;
    }

    @Override
    public boolean goesThroughUsers() {
        return true;
    }

    @Override
    public Answer answer(Here here, List<Integer> partitions) {
        var newest = new PriorityQueue<>(NEWEST_FIRST.reversed());
        here.readEach(partitions, reader -> {
            reader.forEachUser(tenant, user -> {
                if (matches(user) && (newest.size() < limit
                        || user.createdMs() >= newest.peek().created().toEpochMilli())) {
                    newest.add(Bodies.user(user));
                    if (newest.size() > limit) {
                        newest.poll();
                    }
                }
            });
            return newest;
        });
        return new Answer(newest.stream().sorted(NEWEST_FIRST).toList());
    }

    private boolean matches(UserState user) {
        Profile profile = user.profile();
        return search.isEmpty() || contains(user.id().value()) || contains(profile.name())
                || contains(profile.email());
    }

    private boolean contains(String text) {
        return text != null && text.toLowerCase(Locale.ROOT).contains(search);
    }

    @Override
    public Answer together(List<Answer> parts) {
        return new Answer(parts.stream().flatMap(part -> part.users().stream()).sorted(NEWEST_FIRST).limit(limit)
                .toList());
    }
}
