package dev.laurel.processors.delivery.push;

import dev.laurel.schemas.command.BadInputException;
import java.net.URI;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Firebase Cloud Messaging, HTTP v1, by the rights of a service account. A token is dead when FCM says {@code UNREGISTERED},
 * or that it has never been a token. That it belongs to another project ({@code SENDER_ID_MISMATCH}) is a refusal only: with
 * the key file of the wrong project all users would lose their tokens.
 */
final class Fcm implements PushService {

    private static final String NAME = "FCM";

    private final URI endpoint;
    private final TenantHttp http;
    private final AccessTokens tokens;
    private final InstantSource clock;

    private Fcm(URI endpoint, TenantHttp http, AccessTokens tokens, InstantSource clock) {
        this.endpoint = endpoint;
        this.http = http;
        this.tokens = tokens;
        this.clock = clock;
    }

    /** @throws BadInputException if the key file cannot be used */
    static Fcm open(String serviceAccount, TenantHttp http, PushEndpoints endpoints, InstantSource clock)
            throws BadInputException {
        ServiceAccount account = ServiceAccount.read(serviceAccount);
        return new Fcm(endpoints.fcm().resolve("/v1/projects/" + account.project() + "/messages:send"), http,
                new AccessTokens(account, http, endpoints, clock), clock);
    }

    @Override
    public int maxTokens() {
        return 1;
    }

    @Override
    public List<TokenFate> push(PushNote note, List<String> deviceTokens) throws InterruptedException {
        AccessTokens.Access access = tokens.get();
        if (access.failure() != null) {
            return List.of(access.failure());
        }
        HttpAnswer answer = http.postJson(endpoint, access.token(), message(note, deviceTokens.getFirst()));
        return List.of(switch (answer) {
            case HttpAnswer.Answered answered -> fate(answered, access.token());
            case HttpAnswer.NotReached(String reason) -> new TokenFate.NotSent(reason);
            case HttpAnswer.NoAnswer(String reason) -> new TokenFate.Lost(reason);
        });
    }

    /** With a collapse key of its own: without one, a phone that is off gets the last message of the app only. */
    private Map<String, Object> message(PushNote note, String deviceToken) {
        String id = note.delivery().toString();
        long seconds = PushNote.TIME_TO_LIVE.toSeconds();
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

    private TokenFate fate(HttpAnswer.Answered answer, String accessToken) {
        if (answer.isSuccess()) {
            return new TokenFate.Accepted();
        }
        Map<?, ?> error = answer.object("error");
        String code = code(error);
        if ("UNREGISTERED".equals(code) || "INVALID_ARGUMENT".equals(code) && isAboutToken(error)) {
            return new TokenFate.Dead();
        }
        if (answer.status() == 401 && !"THIRD_PARTY_AUTH_ERROR".equals(code)) {
            tokens.forget(accessToken);
            return new TokenFate.NotSent(NAME + " does not take its access token any more");
        }
        return TokenFate.ofStatus(NAME, answer.status(), code);
    }

    /** FCM's own code, else that of Google's APIs; null if there is none. */
    private static String code(Map<?, ?> error) {
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
        // Said in words only where the token has not even the form of one.
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
