package dev.laurel.delivery.push;

import dev.laurel.delivery.push.PushHttp.OfTenant;
import dev.laurel.delivery.push.PushHttp.Response;
import dev.laurel.delivery.push.PushService.TokenResult;
import dev.laurel.schemas.admin.ChannelSecrets.ServiceAccountKey;
import dev.laurel.schemas.input.BadInputException;
import java.net.URI;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Firebase Cloud Messaging, HTTP v1, with a service account. A token is dead if FCM answers {@code UNREGISTERED}, or that it is not a
 * token. {@code SENDER_ID_MISMATCH} is only a refusal: otherwise the key file of a wrong project would cost all users their tokens.
 */
final class Fcm implements PushService {

    private static final String NAME = "FCM";

    private final URI endpoint;
    private final OfTenant http;
    private final AccessTokens tokens;
    private final InstantSource clock;

    private Fcm(URI endpoint, OfTenant http, AccessTokens tokens, InstantSource clock) {
        this.endpoint = endpoint;
        this.http = http;
        this.tokens = tokens;
        this.clock = clock;
    }

    /** @throws BadInputException if the key file cannot be used */
    static Fcm open(String serviceAccount, OfTenant http, PushEndpoints endpoints, InstantSource clock)
            throws BadInputException {
        ServiceAccountKey account = ServiceAccountKey.read(serviceAccount);
        return new Fcm(endpoints.fcm().resolve("/v1/projects/" + account.project() + "/messages:send"), http,
                new AccessTokens(account, http, endpoints, clock), clock);
    }

    @Override
    public int maxTokens() {
        return 1;
    }

    @Override
    public List<TokenResult> push(PushNotification note, List<String> deviceTokens) throws InterruptedException {
        return List.of(switch (tokens.get()) {
            case AccessTokens.Granted(String token) -> push(note, deviceTokens.getFirst(), token);
            case AccessTokens.Denied(TokenResult result) -> result;
        });
    }

    private TokenResult push(PushNotification note, String deviceToken, String accessToken)
            throws InterruptedException {
        return switch (http.postJson(endpoint, accessToken, message(note, deviceToken))) {
            case Response.Answered answered -> resultOf(answered, accessToken);
            case Response.NotReached(String reason) -> new TokenResult.NotSent(reason);
            case Response.NoAnswer(String reason) -> new TokenResult.Lost(reason);
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
        message.put("android",
                Map.of("collapse_key", id, "ttl", seconds + "s", "notification", Map.of("tag", id)));
        message.put("apns", Map.of("headers", Map.of("apns-collapse-id", id, "apns-expiration",
                Long.toString(clock.instant().getEpochSecond() + seconds))));
        message.put("webpush", Map.of("headers", Map.of("TTL", Long.toString(seconds))));
        return Map.of("message", message);
    }

    private TokenResult resultOf(Response.Answered answer, String accessToken) {
        if (answer.isSuccess()) {
            return new TokenResult.Accepted();
        }
        Map<?, ?> error = answer.object("error");
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
    private static @Nullable String code(Map<?, ?> error) {
        for (Map<?, ?> detail : details(error)) {
            if (detail.get("errorCode") instanceof String code) {
                return code;
            }
        }
        return error.get("status") instanceof String status ? status : null;
    }

    private static boolean isAboutToken(Map<?, ?> error) {
        for (Map<?, ?> detail : details(error)) {
            if (detail.get("fieldViolations") instanceof List<?> violations) {
                return violations.stream()
                        .anyMatch(v -> v instanceof Map<?, ?> named && "message.token".equals(named.get("field")));
            }
        }
        // Only the message shows that the token is malformed.
        return error.get("message") instanceof String message
                && message.contains("not a valid FCM registration token");
    }

    private static List<Map<?, ?>> details(Map<?, ?> error) {
        return error.get("details") instanceof List<?> details
                ? details.stream().<Map<?, ?>>mapMulti((detail, sink) -> {
                    if (detail instanceof Map<?, ?> fields) {
                        sink.accept(fields);
                    }
                }).toList()
                : List.of();
    }
}
