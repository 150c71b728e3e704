package dev.laurel.delivery.push;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.delivery.push.PushServices.PushProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PushProviderTest {

    private static final String HEX = "0123456789abcdefABCDEF9876543210";

    @ParameterizedTest
    @CsvSource({
        "ExponentPushToken[x-1], EXPO",
        "ExpoPushToken[x_1], EXPO",
        "ExponentPushToken[], FCM",
        "ExponentPushToken[x, FCM",
        HEX + HEX + ", APNS",
        HEX + HEX + HEX + ", APNS",
        HEX + HEX + "g, FCM",
        HEX + ", FCM",
        HEX + "-" + HEX + ", FCM",
        "dX3:APA91b, FCM",
        "'', FCM"
    })
    void shouldRecogniseTheServiceByTheFormOfTheToken(String token, PushProvider carrier) {
        assertEquals(carrier, PushProvider.of(token));
    }
}
