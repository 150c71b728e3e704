package dev.laurel.gateway.http;

import dev.laurel.schemas.admin.Edit;
import dev.laurel.schemas.admin.SettingsKind;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The calls by which webhooks, templates and channels are defined, up to the log. */
@Timeout(60)
class WebhookRoutesTest {

    private static final String ID = "00000000-0000-4000-8000-000000000001";

    private final GatewayHttp gateway = new GatewayHttp(Duration.ofSeconds(20));

    @AfterEach
    void stop() {
        gateway.close();
    }

    @Test
    void shouldAskForAnotherSecret() {
        gateway.answerWith(200, "{\"secret\":\"whsec_1\"}");

        var response = gateway.client.send("POST", "/admin/v1/webhooks/" + ID + "/rotate-secret", "");

        assertEquals(200, response.status());
        assertEquals("{\"secret\":\"whsec_1\"}", response.body());
        assertEquals(new Edit.RotateSecret(UUID.fromString(ID)), gateway.log.edits.getFirst());
    }

    @ParameterizedTest
    @CsvSource({"/notifications/settings,NOTIFICATIONS", "/notifications/channels,CHANNELS"})
    void shouldMergeIntoASingleton(String path, SettingsKind kind) {
        gateway.answerWith(200, "{}");

        assertEquals(200, gateway.client.send("PATCH", "/admin/v1" + path, "{\"a\":[1,null]}").status());

        var patch = (Edit.Patch) gateway.log.edits.getFirst();
        assertEquals(kind, patch.kind());
        assertEquals(Map.of("a", java.util.Arrays.asList(1, null)), patch.fields());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"PATCH|/notifications/channels|[]|400", "PATCH|/notifications/channels||400",
            "PATCH|/notifications/settings|{|400", "POST|/webhooks|{}|400", "POST|/webhooks|[]|422",
            "POST|/webhooks/x/rotate-secret|{}|422", "PATCH|/notifications/templates|{}|400",
            "DELETE|/notifications/templates||422"})
    void shouldRefuseOtherBodiesAndSendNothing(String method, String path, String body, int status) {
        var response = gateway.client.send(method, "/admin/v1" + path, body == null ? "" : body);

        assertEquals(status, response.status(), response.body());
        assertTrue(response.body().startsWith("{\"error\":\""), response.body());
        assertTrue(gateway.log.edits.isEmpty());
    }
}
