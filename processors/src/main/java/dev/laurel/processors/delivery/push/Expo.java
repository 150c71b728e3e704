package dev.laurel.processors.delivery.push;

import dev.laurel.schemas.command.BadInputException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Expo's push service. What counts is its ticket, which says that Expo has the message; the receipts that it can be asked for
 * later are not. It has no id by which devices would know a message again.
 */
final class Expo implements PushService {

    private static final String NAME = "Expo";
    private static final int MAX_TOKENS = 100;

    private final URI endpoint;
    private final TenantHttp http;
    private final String accessToken;

    private Expo(URI endpoint, TenantHttp http, String accessToken) {
        this.endpoint = endpoint;
        this.http = http;
        this.accessToken = accessToken;
    }

    /** @throws BadInputException if the token is none */
    static Expo open(String accessToken, TenantHttp http, PushEndpoints endpoints) throws BadInputException {
        String token = accessToken.strip();
        if (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw BadInputException.invalid("expo.token", "must be a token without blanks");
        }
        return new Expo(endpoints.expo().resolve("/--/api/v2/push/send"), http, token);
    }

    @Override
    public int maxTokens() {
        return MAX_TOKENS;
    }

    @Override
    public List<TokenFate> push(PushNote note, List<String> deviceTokens) throws InterruptedException {
        HttpAnswer answer = http.postJson(endpoint, accessToken,
                deviceTokens.stream().map(token -> message(note, token)).toList());
        return switch (answer) {
            case HttpAnswer.Answered answered when isOfSeveralProjects(answered) && deviceTokens.size() > 1 ->
                oneByOne(note, deviceTokens);
            case HttpAnswer.Answered answered -> fates(answered, deviceTokens.size());
            case HttpAnswer.NotReached(String reason) ->
                Collections.nCopies(deviceTokens.size(), new TokenFate.NotSent(reason));
            case HttpAnswer.NoAnswer(String reason) ->
                Collections.nCopies(deviceTokens.size(), new TokenFate.Lost(reason));
        };
    }

    private static Map<String, Object> message(PushNote note, String deviceToken) {
        var message = new LinkedHashMap<String, Object>();
        message.put("to", deviceToken);
        message.putAll(note.text());
        message.put("data", note.forApp());
        message.put("ttl", PushNote.TIME_TO_LIVE.toSeconds());
        return message;
    }

    /** A user with apps of several projects: Expo has refused the request as a whole. */
    private List<TokenFate> oneByOne(PushNote note, List<String> deviceTokens) throws InterruptedException {
        var fates = new ArrayList<TokenFate>();
        for (String token : deviceTokens) {
            fates.addAll(push(note, List.of(token)));
        }
        return fates;
    }

    private static boolean isOfSeveralProjects(HttpAnswer.Answered answer) {
        return !answer.isSuccess() && "PUSH_TOO_MANY_EXPERIENCE_IDS".equals(code(answer));
    }

    /** Of the first error of a request that was refused as a whole; null if it has none. */
    private static String code(HttpAnswer.Answered answer) {
        return answer.body().get("errors") instanceof List<?> errors && !errors.isEmpty()
                && errors.getFirst() instanceof Map<?, ?> error && error.get("code") instanceof String code
                        ? code
                        : null;
    }

    private static List<TokenFate> fates(HttpAnswer.Answered answer, int count) {
        if (!answer.isSuccess()) {
            return Collections.nCopies(count, TokenFate.ofStatus(NAME, answer.status(), code(answer)));
        }
        if (!(answer.body().get("data") instanceof List<?> tickets) || tickets.size() != count) {
            return Collections.nCopies(count, new TokenFate.Lost(NAME + " answers with other tickets than expected"));
        }
        return tickets.stream().map(Expo::fate).toList();
    }

    private static TokenFate fate(Object ticket) {
        if (!(ticket instanceof Map<?, ?> fields)) {
            return new TokenFate.Lost(NAME + " answers with a ticket that is none");
        }
        if ("ok".equals(fields.get("status"))) {
            return new TokenFate.Accepted();
        }
        if (!(HttpAnswer.Answered.objectIn(fields, "details").get("error") instanceof String code)) {
            return new TokenFate.Refused(NAME + " refuses the message");
        }
        return switch (code) {
            case "DeviceNotRegistered" -> new TokenFate.Dead();
            case "MessageRateExceeded" -> new TokenFate.NotSent(NAME + " answers " + code);
            default -> new TokenFate.Refused(NAME + " answers " + code);
        };
    }
}
