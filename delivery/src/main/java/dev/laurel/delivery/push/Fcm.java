package dev.laurel.delivery.push;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.laurel.delivery.push.PushHttp.OfTenant;
import dev.laurel.delivery.push.PushHttp.PushEndpoints;
import dev.laurel.delivery.push.PushHttp.Response;
import dev.laurel.delivery.push.PushService.PushNotification;
import dev.laurel.delivery.push.PushService.TokenResult;
import dev.laurel.schemas.admin.ChannelSecrets.ServiceAccountKey;
import dev.laurel.schemas.input.BadInputException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Firebase Cloud Messaging, HTTP v1, with a service account. A token is dead if FCM answers {@code UNREGISTERED}, or that it is not a
 * token. {@code SENDER_ID_MISMATCH} is only a refusal: otherwise the key file of a wrong project would cost all users their tokens.
 */
record Fcm(URI endpoint, OfTenant http, AccessTokens tokens, InstantSource clock) implements PushService {

    private static final String NAME = "FCM";

    /** @throws BadInputException if the key file cannot be used */
    static Fcm open(String serviceAccount, OfTenant http, PushEndpoints endpoints, InstantSource clock)
            throws BadInputException {
        ServiceAccountKey account = ServiceAccountKey.read(serviceAccount);
        return new Fcm(
                endpoints.fcm().resolve("/v1/projects/" + account.project() + "/messages:send"),
                http,
                new AccessTokens(account, http, endpoints, clock),
                clock);
    }

    @Override
    public int maxTokens() {
        return 1;
    }

    @Override
    public List<TokenResult> push(PushNotification note, List<String> deviceTokens) throws InterruptedException {
        return List.of(
                switch (tokens.get()) {
                    case AccessTokens.Granted(String token) -> push(note, deviceTokens.getFirst(), token);
                    case AccessTokens.Denied(TokenResult result) -> result;
                });
    }

    private TokenResult push(PushNotification note, String deviceToken, String accessToken)
            throws InterruptedException {
        return switch (http.postJson(endpoint, accessToken, message(note, deviceToken))) {
            case Response.Answered answered -> resultOf(answered, accessToken);
            case Response.NoAnswer failure -> failure.result();
        };
    }

    /** The body of a request. Each message has its own collapse key: without it, a phone that was off receives only the last one. */
    private Map<String, Object> message(PushNotification note, String deviceToken) {
        String id = note.delivery().toString();
        long seconds = PushNotification.TIME_TO_LIVE.toSeconds();
        var message = new LinkedHashMap<String, Object>();
        message.put("token", deviceToken);
        message.put("notification", note.text());
        message.put("data", note.forApp());
        message.put("android", Map.of("collapse_key", id, "ttl", seconds + "s", "notification", Map.of("tag", id)));
        message.put(
                "apns",
                Map.of(
                        "headers",
                        Map.of(
                                "apns-collapse-id",
                                id,
                                "apns-expiration",
                                Long.toString(clock.instant().getEpochSecond() + seconds))));
        message.put("webpush", Map.of("headers", Map.of("TTL", Long.toString(seconds))));
        return Map.of("message", message);
    }

    private TokenResult resultOf(Response.Answered answer, String accessToken) {
        if (answer.isSuccess()) {
            return new TokenResult.Accepted();
        }
        JsonNode error = answer.body().path("error");
        String code = code(error);
        if ("UNREGISTERED".equals(code) || "INVALID_ARGUMENT".equals(code) && isAboutToken(error)) {
            return new TokenResult.Dead();
        }
        if (answer.status() == 401 && !"THIRD_PARTY_AUTH_ERROR".equals(code)) {
            tokens.forget(accessToken);
            return new TokenResult.NotSent(NAME + " does not accept its access token any more");
        }
        return TokenResult.ofStatus(NAME, answer.status(), code);
    }

    /** FCM's own code, or else that of Google's APIs; null if there is none. */
    private static @Nullable String code(JsonNode error) {
        for (JsonNode detail : error.path("details")) {
            if (detail.path("errorCode").isString()) {
                return detail.path("errorCode").stringValue();
            }
        }
        return error.path("status").stringValue(null);
    }

    private static boolean isAboutToken(JsonNode error) {
        for (JsonNode detail : error.path("details")) {
            JsonNode violations = detail.path("fieldViolations");
            if (violations.isArray()) {
                return violations
                        .valueStream()
                        .anyMatch(named -> named.path("field").stringValue("").equals("message.token"));
            }
        }
        // Only the message shows that the token is malformed.
        return error.path("message").stringValue("").contains("not a valid FCM registration token");
    }

    /**
     * Caches the access token of a service account until shortly before it expires. While one thread fetches the token, others wait. A
     * failure is cached for 10 s, so that the waiting threads do not all repeat it. Thread-safe.
     */
    static final class AccessTokens {

        /** The result of a request for a token. */
        sealed interface Access {}

        record Granted(String token) implements Access {

            /** Without the token: this may end up in a log. */
            @Override
            public String toString() {
                return "an access token";
            }
        }

        /** There is no token. @param result of the messages that need it */
        record Denied(TokenResult result) implements Access {}

        private static final String SCOPE = "https://www.googleapis.com/auth/firebase.messaging";
        private static final int ASSERTION_LIFETIME_SECONDS = 3600;
        private static final Duration MARGIN = Duration.ofMinutes(5);
        private static final Duration FAILURE_CACHED_FOR = Duration.ofSeconds(10);
        private static final int DEFAULT_LIFETIME_SECONDS = 600;
        private static final String GRANT =
                "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=";

        private record Cached(Access access, Instant until) {}

        private final ServiceAccountKey account;
        private final OfTenant http;
        private final URI endpoint;
        private final Duration timeout;
        private final InstantSource clock;
        private final ReentrantLock fetching = new ReentrantLock();
        /** Null before the first request, and when the service does not accept the token any more. */
        private volatile @Nullable Cached cached;

        /** @param clock real time, which Google compares with its own clock */
        AccessTokens(ServiceAccountKey account, OfTenant http, PushEndpoints endpoints, InstantSource clock) {
            this.account = account;
            this.http = http;
            this.endpoint = endpoints.googleTokens();
            this.timeout = endpoints.timeout();
            this.clock = clock;
        }

        Access get() throws InterruptedException {
            Cached last = cached;
            if (last != null && clock.instant().isBefore(last.until())) {
                return last.access();
            }
            if (!fetching.tryLock(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                return new Denied(new TokenResult.NotSent("no access token for FCM in time"));
            }
            try {
                Cached newest = cached;
                if (newest == null || !clock.instant().isBefore(newest.until())) {
                    newest = fetch();
                    cached = newest;
                }
                return newest.access();
            } finally {
                fetching.unlock();
            }
        }

        /** Discards a token that the service no longer accepts. */
        void forget(String token) {
            Cached last = cached;
            if (last != null && last.access() instanceof Granted(String granted) && granted.equals(token)) {
                cached = null;
            }
        }

        /** Fetches a token. If this fails, no message was sent. */
        private Cached fetch() throws InterruptedException {
            Instant now = clock.instant();
            return switch (http.postForm(endpoint, GRANT + assertion(now))) {
                case Response.Answered answer
                when answer.isSuccess()
                        && isOneLine(answer.body().path("access_token").stringValue("")) ->
                    new Cached(
                            new Granted(answer.body().path("access_token").stringValue()),
                            now.plusSeconds(answer.body().path("expires_in").asLong(DEFAULT_LIFETIME_SECONDS))
                                    .minus(MARGIN));
                case Response.Answered answer -> failed(now, refusal(answer));
                case Response.NoAnswer(String reason, var _) -> failed(now, new TokenResult.NotSent(reason));
            };
        }

        /** The assertion that is exchanged for an access token (RFC 7523). */
        private String assertion(Instant now) {
            var claims = new JWTClaimsSet.Builder()
                    .issuer(account.email())
                    .audience(endpoint.toString())
                    .claim("scope", SCOPE)
                    .issueTime(Date.from(now))
                    .expirationTime(Date.from(now.plusSeconds(ASSERTION_LIFETIME_SECONDS)))
                    .build();
            var signed = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.RS256)
                            .type(JOSEObjectType.JWT)
                            .keyID(account.keyId())
                            .build(),
                    claims);
            try {
                signed.sign(new RSASSASigner(account.key()));
            } catch (JOSEException e) {
                throw new IllegalStateException("a key that is long enough to sign", e);
            }
            return signed.serialize();
        }

        static boolean isOneLine(String token) {
            return !token.isEmpty() && token.chars().allMatch(c -> c > ' ' && c < 0x7f);
        }

        private static TokenResult refusal(Response.Answered answer) {
            String code = answer.body().path("error").stringValue(null);
            String what =
                    "Google's answer to the service account is " + answer.status() + (code == null ? "" : " " + code);
            boolean isForGood = answer.status() >= 400 && answer.status() < 500 && answer.status() != 429;
            return isForGood ? new TokenResult.Refused(what) : new TokenResult.NotSent(what);
        }

        private static Cached failed(Instant now, TokenResult failure) {
            return new Cached(new Denied(failure), now.plus(FAILURE_CACHED_FOR));
        }
    }
}
