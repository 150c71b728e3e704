package dev.laurel.delivery.push;

import static dev.laurel.delivery.push.WebStandIn.EXPO;
import static dev.laurel.delivery.push.WebStandIn.bodies;
import static dev.laurel.delivery.push.WebStandIn.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.delivery.message.MessageSender.SendResult;
import java.util.List;
import java.util.Map;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpoTest {

    private static final String A = "ExponentPushToken[a]";
    private static final String B = "ExpoPushToken[b]";

    @AutoClose
    private final PushFixture push = new PushFixture();

    private static Map<String, Object> ticket(String error) {
        return error.equals("ok")
                ? Map.of("status", "ok", "id", "t")
                : Map.of("status", "error", "message", "said", "details", Map.of("error", error));
    }

    private void answerTickets(String... errors) {
        push.web.answer(
                EXPO,
                _ -> response(
                        200,
                        Map.of(
                                "data",
                                List.of(errors).stream().map(ExpoTest::ticket).toList())));
    }

    @Test
    void shouldSendToAllDevicesInOneRequest() throws Exception {
        assertEquals(new SendResult.Sent(List.of()), push.send(A, B));

        assertEquals(1, push.web.requestsTo(EXPO).size());
        var request = push.web.requestsTo(EXPO).getFirst();
        Map<String, Object> message = Map.of(
                "title",
                "Keep swimming",
                "body",
                "Only <4> hours left",
                "ttl",
                86400,
                "data",
                Map.of("type", "streak_reminder", "deliveryId", PushFixture.DELIVERY.toString()));
        assertEquals("Bearer expo-secret", request.getHeaders().get("Authorization"));
        assertEquals(
                List.of(A, B),
                bodies(request).stream().map(each -> each.get("to")).toList());
        bodies(request).forEach(each -> assertTrue(each.entrySet().containsAll(message.entrySet()), each.toString()));
    }

    @Test
    void shouldReportDeadTokens() throws Exception {
        answerTickets("DeviceNotRegistered", "ok");
        assertEquals(new SendResult.Sent(List.of(A)), push.send(A, B));

        answerTickets("DeviceNotRegistered", "DeviceNotRegistered");
        assertEquals(new SendResult.Refused("all device tokens are gone", List.of(A, B), true), push.send(A, B));
    }

    @ParameterizedTest
    @ValueSource(strings = {"MessageTooBig", "InvalidCredentials", "MismatchSenderId"})
    void shouldRefuseIfTheTicketRefuses(String error) throws Exception {
        answerTickets(error);

        assertEquals(new SendResult.Refused("Expo answers " + error, List.of()), push.send(A));
    }

    @Test
    void shouldNotBeSentIfTheRateIsExceeded() throws Exception {
        answerTickets("MessageRateExceeded", "DeviceNotRegistered");

        assertEquals(new SendResult.NotSent("Expo answers MessageRateExceeded"), push.send(A, B));
    }

    @ParameterizedTest
    @CsvSource({"429, NotSent", "500, NotSent", "503, NotSent", "504, Doubtful", "400, Refused", "401, Refused"})
    void shouldUseTheStatusOfAnAnswerWithoutTickets(int status, String result) throws Exception {
        push.web.answer(EXPO, _ -> response(status, Map.of("errors", List.of(Map.of("code", "SOME_CODE")))));

        SendResult actual = push.send(A);

        assertEquals(result, actual.getClass().getSimpleName());
        assertTrue(actual.toString().contains("Expo answers " + status + " SOME_CODE"), actual.toString());
    }

    @Test
    void shouldSendOneByOneToDevicesOfSeveralProjects() throws Exception {
        push.web.answer(
                EXPO,
                request -> bodies(request).size() > 1
                        ? response(400, Map.of("errors", List.of(Map.of("code", "PUSH_TOO_MANY_EXPERIENCE_IDS"))))
                        : response(
                                200,
                                Map.of(
                                        "data",
                                        List.of(ticket(
                                                bodies(request)
                                                                .getFirst()
                                                                .get("to")
                                                                .equals(A)
                                                        ? "ok"
                                                        : "DeviceNotRegistered")))));

        assertEquals(new SendResult.Sent(List.of(B)), push.send(A, B));
    }

    @Test
    void shouldDoubtAnUnexpectedNumberOfTickets() throws Exception {
        answerTickets("ok", "ok");
        assertInstanceOf(SendResult.Doubtful.class, push.send(A));

        push.web.answer(EXPO, _ -> new MockResponse.Builder().body("thanks").build());
        assertInstanceOf(SendResult.Doubtful.class, push.send(A));
    }

    @Test
    void shouldDoubtARequestThatLostItsConnection() throws Exception {
        push.web.hangUp(EXPO);

        assertInstanceOf(SendResult.Doubtful.class, push.send(A));
        assertEquals(1, push.web.requestsTo(EXPO).size());
    }

    @Test
    void shouldRefuseATokenThatIsNotAValidHeader() throws Exception {
        push.secret("expo.token", "two\nlines");

        assertEquals(new SendResult.Refused("expo.token must be a token without blanks.", List.of()), push.send(A));
    }
}
