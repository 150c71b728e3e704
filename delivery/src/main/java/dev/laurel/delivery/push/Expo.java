package dev.laurel.delivery.push;

import dev.laurel.delivery.push.PushHttp.OfTenant;
import dev.laurel.delivery.push.PushHttp.PushEndpoints;
import dev.laurel.delivery.push.PushHttp.Response;
import dev.laurel.delivery.push.PushService.PushNotification;
import dev.laurel.delivery.push.PushService.TokenResult;
import dev.laurel.schemas.input.BadInputException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Expo's push service. A message counts as sent with Expo's ticket, which says that Expo has the message; receipts are not fetched.
 * Expo has no id by which devices could recognise a duplicate.
 */
record Expo(URI endpoint, OfTenant http, String accessToken) implements PushService {

    private static final String NAME = "Expo";
    private static final int MAX_TOKENS = 100;

    /** @throws BadInputException if the text is not a token */
    static Expo open(String accessToken, OfTenant http, PushEndpoints endpoints) throws BadInputException {
        String token = accessToken.strip();
        if (!Fcm.AccessTokens.isOneLine(token)) {
            throw BadInputException.invalid("expo.token", "must be a token without blanks");
        }
        return new Expo(endpoints.expo().resolve("/--/api/v2/push/send"), http, token);
    }

    @Override
    public int maxTokens() {
        return MAX_TOKENS;
    }

    @Override
    public List<TokenResult> push(PushNotification note, List<String> deviceTokens) throws InterruptedException {
        Response answer = http.postJson(
                endpoint,
                accessToken,
                deviceTokens.stream().map(token -> message(note, token)).toList());
        return switch (answer) {
            case Response.Answered answered
            when isOfSeveralProjects(answered) && deviceTokens.size() > 1 -> oneByOne(note, deviceTokens);
            case Response.Answered answered -> results(answered, deviceTokens.size());
            case Response.NoAnswer failure -> Collections.nCopies(deviceTokens.size(), failure.result());
        };
    }

    private static Map<String, Object> message(PushNotification note, String deviceToken) {
        var message = new LinkedHashMap<String, Object>();
        message.put("to", deviceToken);
        message.putAll(note.text());
        message.put("data", note.forApp());
        message.put("ttl", PushNotification.TIME_TO_LIVE.toSeconds());
        return message;
    }

    /** Sends to each token alone: Expo refuses a request with tokens of several projects as a whole. */
    private List<TokenResult> oneByOne(PushNotification note, List<String> deviceTokens) throws InterruptedException {
        var results = new ArrayList<TokenResult>();
        for (String token : deviceTokens) {
            results.addAll(push(note, List.of(token)));
        }
        return results;
    }

    private static boolean isOfSeveralProjects(Response.Answered answer) {
        return !answer.isSuccess() && "PUSH_TOO_MANY_EXPERIENCE_IDS".equals(code(answer));
    }

    /** The code of the first error of a request that was refused as a whole; null if there is none. */
    private static @Nullable String code(Response.Answered answer) {
        return answer.body().path("errors").path(0).path("code").stringValue(null);
    }

    private static List<TokenResult> results(Response.Answered answer, int count) {
        if (!answer.isSuccess()) {
            return Collections.nCopies(count, TokenResult.ofStatus(NAME, answer.status(), code(answer)));
        }
        JsonNode tickets = answer.body().path("data");
        if (!tickets.isArray() || tickets.size() != count) {
            return Collections.nCopies(
                    count, new TokenResult.Lost(NAME + " answers with an unexpected number of tickets"));
        }
        return tickets.valueStream().map(Expo::resultOf).toList();
    }

    private static TokenResult resultOf(JsonNode ticket) {
        if (!ticket.isObject()) {
            return new TokenResult.Lost(NAME + " answers with a malformed ticket");
        }
        if (ticket.path("status").stringValue("").equals("ok")) {
            return new TokenResult.Accepted();
        }
        String code = ticket.path("details").path("error").stringValue(null);
        return switch (code) {
            case null -> new TokenResult.Refused(NAME + " refuses the message");
            case "DeviceNotRegistered" -> new TokenResult.Dead();
            case "MessageRateExceeded" -> new TokenResult.NotSent(NAME + " answers " + code);
            default -> new TokenResult.Refused(NAME + " answers " + code);
        };
    }
}
