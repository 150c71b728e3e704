package dev.laurel.platform.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.access.SessionKey;
import dev.laurel.platform.access.Signed;
import dev.laurel.platform.session.SessionToken.Holder;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.access.InMemoryAccessStore;
import dev.laurel.schemas.key.TenantId;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionTokenTest {

    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");
    private static final ApiKey START = ApiKey.givenAdminKey("Abcd1234.0123456789abcdef");
    private static final SessionKey KEY = sessionKey(START, new byte[32]);

    private static SessionKey sessionKey(ApiKey start, byte[] entropy) {
        var index = InMemoryAccessStore.index();
        SessionKey.missing(index, () -> entropy).forEach(secret -> index.put(secret.recordKey(), secret));
        return SessionKey.of(start, index);
    }

    private static Stream<Holder> holders() {
        return Stream.of(
                new Holder.Key(UUID.randomUUID()),
                new Holder.Person("00u1", "Ida Lainé", "cn=ops,dc=example"),
                new Holder.Person("", "", "ops"),
                new Holder.Person(
                        "a".repeat(SessionToken.MAX_TEXT_BYTES),
                        "☃".repeat(100),
                        "g".repeat(SessionToken.MAX_TEXT_BYTES)));
    }

    private static Signed<SessionToken> token(Holder holder) {
        return token(holder, "nonce");
    }

    private static Signed<SessionToken> token(Holder holder, String nonce) {
        return new SessionToken(holder, nonce).signed(NOON.plusSeconds(9), KEY, "bound");
    }

    private static Signed<SessionToken> read(String cookie) {
        return SessionToken.read(cookie, KEY, _ -> "bound", NOON);
    }

    @ParameterizedTest
    @MethodSource("holders")
    void shouldReadWhatWasWritten(Holder holder) {
        String cookie = token(holder).text();
        Signed<SessionToken> read = read(cookie);

        assertEquals(holder, read.value().holder());
        assertEquals(NOON.plusSeconds(9), read.expires());
        assertEquals(SessionToken.csrfToken(token(holder), KEY), SessionToken.csrfToken(read, KEY));
        assertNull(SessionToken.read(cookie, KEY, _ -> "bound", NOON.plusSeconds(9)), "expired");
        assertTrue(cookie.length() < 4_000, () -> cookie.length() + " characters");
        assertTrue(cookie.matches("[A-Za-z0-9_-]+"), cookie);
    }

    @Test
    void shouldNotAcceptOtherKeysAndBounds() {
        String cookie = token(new Holder.Key(UUID.randomUUID())).text();
        var otherSecret = new byte[32];
        otherSecret[31] = 1;

        assertNotNull(read(cookie));
        assertNull(SessionToken.read(cookie, KEY, _ -> "other", NOON), "the key was rotated");
        assertNull(SessionToken.read(cookie, KEY, _ -> null, NOON), "the holder may do nothing");
        assertNull(SessionToken.read(cookie, sessionKey(START, otherSecret), _ -> "bound", NOON));
        assertNull(SessionToken.read(
                cookie,
                sessionKey(ApiKey.givenAdminKey("Abcd1234.0123456789abcdeg"), new byte[32]),
                _ -> "bound",
                NOON));
    }

    @ParameterizedTest
    @MethodSource("holders")
    void shouldNotAcceptAnyChangedOrMissingByte(Holder holder) {
        byte[] bytes = Base64.getUrlDecoder().decode(token(holder).text());
        for (int i = 0; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] ^= 1;
            expectUnusable(changed);
        }
        for (int length = 0; length < bytes.length; length++) {
            expectUnusable(Arrays.copyOf(bytes, length));
        }
        expectUnusable(Arrays.copyOf(bytes, bytes.length + 1));
    }

    private static void expectUnusable(byte[] bytes) {
        assertNull(read(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "x", "☃", "a.b.c", "null", "%00", "====", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            })
    void shouldNotReadNonsense(String cookie) {
        assertNull(read(cookie));
    }

    @Test
    void shouldNotReadTextsThatAreTooLong() {
        assertNull(read("A".repeat(4_001)));
        assertThrows(
                IllegalArgumentException.class,
                () -> token(new Holder.Person("a".repeat(SessionToken.MAX_TEXT_BYTES + 1), "", "")));
    }

    /** The same holder at the same time: only the nonce differs. */
    @Test
    void shouldGiveEachSessionItsOwnTokens() {
        var holder = new Holder.Key(UUID.randomUUID());
        Signed<SessionToken> other = token(holder, "another");

        assertNotEquals(token(holder).text(), other.text());
        assertNotEquals(SessionToken.csrfToken(token(holder), KEY), SessionToken.csrfToken(other, KEY));
    }

    @Test
    void shouldMakeOneSecretForAllProcesses() {
        var index = InMemoryAccessStore.index();
        assertNull(SessionKey.of(START, index), "no node has written it");
        List<Secret> made = SessionKey.missing(index, () -> new byte[32]);
        made.forEach(secret -> index.put(secret.recordKey(), secret));

        assertEquals(1, made.size());
        assertEquals(TenantId.NONE, made.getFirst().tenant());
        assertEquals(List.of(), SessionKey.missing(index, () -> new byte[32]));
        assertNotNull(SessionKey.of(START, index));
    }

    @Test
    void shouldKeepTheStateOfASignIn() {
        var random = new SecureRandom();
        var state = SignInState.begin(random, NOON, "/console/#/users", KEY);
        SignInState read = SignInState.read(state.encoded(), KEY, NOON.minusMillis(1));

        assertEquals("/console/#/users", read.returnTo());
        assertEquals(state.nonce(), read.nonce());
        assertEquals(state.verifier(), read.verifier());
        assertTrue(read.isState(state.state()));
        assertFalse(read.isState(state.nonce()));
        assertFalse(read.isState(null));
        assertEquals(43, state.verifier().length(), "the least that RFC 7636 permits");
        assertNull(SignInState.read(state.encoded(), KEY, NOON), "expired");
        assertNull(SignInState.read(state.encoded(), sessionKey(START, seed(1)), NOON.minusMillis(1)));
        assertNull(SignInState.read(token(new Holder.Key(UUID.randomUUID())).text(), KEY, Instant.EPOCH));
        assertNull(SignInState.read("", KEY, NOON));
        assertNotEquals(
                state.state(),
                SignInState.begin(random, NOON, "/console/#/users", KEY).state());
    }

    private static byte[] seed(int first) {
        var seed = new byte[32];
        seed[0] = (byte) first;
        return seed;
    }
}
