package dev.laurel.schemas.access;

import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.SessionToken.Content;
import dev.laurel.schemas.access.SessionToken.Holder;
import dev.laurel.schemas.key.TenantId;
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

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SessionTokenTest {

    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");
    private static final ApiKey START = ApiKey.givenAdminKey("Abcd1234.0123456789abcdef");
    private static final SessionKey KEY = sessionKey(START, new byte[32]);
    private static final byte[] NONCE = new byte[SessionToken.NONCE_BYTES];

    private static SessionKey sessionKey(ApiKey start, byte[] entropy) {
        var index = new AccessIndex();
        SessionKey.missing(index, () -> entropy).forEach(secret -> index.put(secret.recordKey(), secret));
        return SessionKey.of(start, index);
    }

    private static Stream<Holder> holders() {
        return Stream.of(new Holder.Key(UUID.randomUUID()), new Holder.Person("00u1", "Ida Lainé", "cn=ops,dc=example"),
                new Holder.Person("", "", "ops"), new Holder.Person("a".repeat(SessionToken.MAX_TEXT_BYTES),
                        "☃".repeat(100), "g".repeat(SessionToken.MAX_TEXT_BYTES)));
    }

    private static SessionToken token(Holder holder) {
        return SessionToken.of(new Content(holder, NOON, NOON.plusSeconds(9)), NONCE, KEY, "bound");
    }

    @ParameterizedTest
    @MethodSource("holders")
    void shouldReadWhatWasWritten(Holder holder) {
        String cookie = token(holder).encoded();
        SessionToken read = SessionToken.parse(cookie);

        assertEquals(new Content(holder, NOON, NOON.plusSeconds(9)), read.content());
        assertTrue(read.isAuthentic(KEY, "bound"));
        assertEquals(token(holder).csrfToken(KEY), read.csrfToken(KEY));
        assertTrue(cookie.length() < 4_000, () -> cookie.length() + " characters");
        assertTrue(cookie.matches("[A-Za-z0-9_-]+"), cookie);
    }

    @Test
    void shouldNotAcceptOtherKeysAndBounds() {
        SessionToken token = SessionToken.parse(token(new Holder.Key(UUID.randomUUID())).encoded());
        var otherSecret = new byte[32];
        otherSecret[31] = 1;

        assertFalse(token.isAuthentic(KEY, "other"), "the key was rotated");
        assertFalse(token.isAuthentic(sessionKey(START, otherSecret), "bound"));
        assertFalse(token.isAuthentic(
                sessionKey(ApiKey.givenAdminKey("Abcd1234.0123456789abcdeg"), new byte[32]), "bound"));
    }

    @ParameterizedTest
    @MethodSource("holders")
    void shouldNotAcceptAnyChangedOrMissingByte(Holder holder) {
        byte[] bytes = Base64.getUrlDecoder().decode(token(holder).encoded());
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
        SessionToken token = SessionToken.parse(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
        assertTrue(token == null || !token.isAuthentic(KEY, "bound"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "x", "☃", "a.b.c", "null", "%00", "====",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
    void shouldNotReadNonsense(String cookie) {
        assertNull(SessionToken.parse(cookie));
    }

    @Test
    void shouldNotReadTextsThatAreTooLong() {
        assertNull(SessionToken.parse("A".repeat(4_001)));
        assertThrows(IllegalArgumentException.class,
                () -> token(new Holder.Person("a".repeat(SessionToken.MAX_TEXT_BYTES + 1), "", "")));
    }

    /** The same holder at the same time: only the nonce differs. */
    @Test
    void shouldGiveEachSessionItsOwnTokens() {
        var holder = new Holder.Key(UUID.randomUUID());
        var other = SessionToken.of(new Content(holder, NOON, NOON.plusSeconds(9)),
                "0123456789abcdef".getBytes(US_ASCII), KEY, "bound");

        assertNotEquals(token(holder).encoded(), other.encoded());
        assertNotEquals(token(holder).csrfToken(KEY), other.csrfToken(KEY));
    }

    @Test
    void shouldMakeOneSecretForAllProcesses() {
        var index = new AccessIndex();
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
        var seed = new byte[SignInState.SEED_BYTES];
        var state = new SignInState(seed, NOON, "/console/#/users", KEY);
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
        assertNull(SignInState.read(token(new Holder.Key(UUID.randomUUID())).encoded(), KEY, Instant.EPOCH));
        assertNull(SignInState.read("", KEY, NOON));
        seed[0] = 1;
        assertNotEquals(state.state(), new SignInState(seed, NOON, "/", KEY).state());
    }

    private static byte[] seed(int first) {
        var seed = new byte[32];
        seed[0] = (byte) first;
        return seed;
    }
}
