package dev.laurel.platform.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.platform.access.SessionKey;
import dev.laurel.platform.access.Signed;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the cookie of a session says (docs/operations/security.md, Sessions): its holder, and nothing of the holder's rights, which are
 * those at each request. Sessions are stored nowhere.
 *
 * @param nonce makes each session, and therefore its CSRF token, different from all others
 */
record SessionToken(Holder holder, String nonce) {

    /** The maximum length of each text of a person, in UTF-8: browsers keep cookies of up to 4096 bytes. */
    static final int MAX_TEXT_BYTES = 700;

    private static final Signed.Purpose<SessionToken> PURPOSE =
            new Signed.Purpose<>("session", 4_000, SessionToken::fields, SessionToken::of);

    /** The admin key or the person that signed in. */
    sealed interface Holder {

        /** @param id id of the admin key */
        record Key(UUID id) implements Holder {}

        /**
         * @param subject the provider's id of the person
         * @param group the group that gave the person a role
         */
        record Person(String subject, String name, String group) implements Holder {

            /** @throws IllegalArgumentException if a text is too long */
            public Person {
                for (String text : List.of(subject, name, group)) {
                    if (text.getBytes(UTF_8).length > MAX_TEXT_BYTES) {
                        throw new IllegalArgumentException("a text of more than " + MAX_TEXT_BYTES + " bytes");
                    }
                }
            }
        }
    }

    /** @param bound what the session ends with: {@link #read} must give the same */
    Signed<SessionToken> signed(Instant expires, SessionKey key, String bound) {
        return Signed.of(PURPOSE, key.of("session " + bound), this, expires);
    }

    /** Null if the cookie is not authentic or has expired. @param boundOf what the sessions of a holder end with; null: it has none */
    static @Nullable Signed<SessionToken> read(
            String cookie, SessionKey key, Function<Holder, @Nullable String> boundOf, Instant now) {
        return Signed.read(
                PURPOSE,
                cookie,
                token -> {
                    String bound = boundOf.apply(token.holder);
                    return bound == null ? null : key.of("session " + bound);
                },
                now);
    }

    /** The token that each change by a session must have besides the cookie. */
    static String csrfToken(Signed<SessionToken> session, SessionKey key) {
        return session.derived(key.of("csrf"));
    }

    private List<String> fields() {
        return switch (holder) {
            case Holder.Key(UUID id) -> List.of(nonce, id.toString());
            case Holder.Person(String subject, String name, String group) -> List.of(nonce, subject, name, group);
        };
    }

    private static SessionToken of(List<String> fields) {
        return new SessionToken(
                fields.size() == 2
                        ? new Holder.Key(UUID.fromString(fields.get(1)))
                        : new Holder.Person(fields.get(1), fields.get(2), fields.get(3)),
                fields.getFirst());
    }
}
