package dev.laurel.schemas.admin;

import static dev.laurel.schemas.edit.Edit.SettingsKind.CHANNELS;
import static dev.laurel.schemas.edit.Edit.SettingsKind.NOTIFICATIONS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.serde.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class NotificationSettingsTest {

    private static final String USUAL = "{'recapPeriod':'weekly','reactivationDays':[3,5,7,14,30],'streakReminder':"
            + "{'dailyHoursBefore':4,'weeklyDay':'friday','weeklyTime':'09:00','monthlyDay':25,'monthlyTime':'09:00'},"
            + "'achievementWindow':{'from':'17:00','to':'21:00'},'enabled':{}}";
    private static final String APNS =
            "{'signingKey':'" + PushSecrets.pem("EC", 256) + "','teamId':'T','keyId':'K','bundleId':'B'}";
    private static final String ACCOUNT = PushSecrets.serviceAccount(2048);

    private final AdminEdits admin = new AdminEdits();

    @Test
    void shouldShowTheDefaults() {
        assertEquals(USUAL, admin.show(NOTIFICATIONS));
        assertEquals(
                "{'email':{'from':null,'fromName':null,'replyTo':null,'smtpConfigured':false},'push':"
                        + "{'apns':{'configured':false},'fcm':{'configured':false},'expo':{'configured':false}}}",
                admin.show(CHANNELS));
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "NotificationSettingsTest.shouldChangeNothingIfAFieldIsBad.csv",
            delimiter = '|',
            quoteCharacter = '^')
    void shouldChangeNothingIfAFieldIsBad(String fields, String message) {
        String answer = admin.merge(
                NOTIFICATIONS,
                fields.contains("recapPeriod") ? fields : "{'recapPeriod':'daily'," + fields.substring(1));

        assertTrue(answer.startsWith("{'error':'" + message), answer);
        assertEquals(USUAL, admin.show(NOTIFICATIONS));
    }

    @Test
    void shouldShowOnlyThatChannelSecretsAreConfigured() {
        String answer = admin.merge(
                CHANNELS,
                "{'email':{'from':'team@pool.example','fromName':'Pool',"
                        + "'smtpUrl':'smtps://user:pw@mail.example:465'},'push':{'apns':" + APNS
                        + ",'fcm':{'serviceAccount':" + ACCOUNT + "}}}");

        assertEquals(
                "{'email':{'from':'team@pool.example','fromName':'Pool','replyTo':null,'smtpConfigured':true},"
                        + "'push':{'apns':{'configured':true},'fcm':{'configured':true},'expo':{'configured':false}}}",
                answer);
        assertEquals(answer, admin.show(CHANNELS));
        assertEquals(
                "smtps://user:pw@mail.example:465", admin.access.secret(TenantId.NONE, Secret.CHANNELS, "smtpUrl"));
        assertFalse(admin.ruleset.toString().contains("pw@"));
    }

    /** The push service provides the account as a JSON file. */
    @Test
    void shouldAcceptServiceAccountAsTextAndAsObject() {
        admin.merge(CHANNELS, "{'push':{'fcm':{'serviceAccount':" + ACCOUNT + "}}}");
        String asObject = admin.access.secret(TenantId.NONE, Secret.CHANNELS, "fcm.serviceAccount");
        admin.merge(CHANNELS, "{'push':{'fcm':null}}");

        String text = new String(Json.write(asObject), UTF_8);
        admin.merge(CHANNELS, "{'push':{'fcm':{'serviceAccount':" + text + "}}}");

        assertEquals(asObject, admin.access.secret(TenantId.NONE, Secret.CHANNELS, "fcm.serviceAccount"));
    }

    @Test
    void shouldKeepAbsentSecretsAndRemoveNullOnes() {
        admin.merge(
                CHANNELS,
                "{'email':{'from':'a@b.example','smtpUrl':'smtp://mail.example'},'push':{'apns':" + APNS
                        + ",'expo':{'token':'t'}}}");

        String answer = admin.merge(
                CHANNELS, "{'email':{'from':null,'replyTo':'c@d.example'},'push':{'apns':{'keyId':null},'expo':null}}");

        assertEquals(
                "{'email':{'from':null,'fromName':null,'replyTo':'c@d.example','smtpConfigured':true},'push':"
                        + "{'apns':{'configured':false},'fcm':{'configured':false},'expo':{'configured':false}}}",
                answer);
        assertNull(admin.access.secret(TenantId.NONE, Secret.CHANNELS, "expo.token"));
        assertEquals("T", admin.access.secret(TenantId.NONE, Secret.CHANNELS, "apns.teamId"));
        assertTrue(admin.merge(CHANNELS, "{'push':{'apns':{'keyId':'K2'}}}").contains("'apns':{'configured':true}"));
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "NotificationSettingsTest.shouldRefuseBadChannelsWithoutRepeatingSecrets.csv",
            delimiter = '|',
            quoteCharacter = '^')
    void shouldRefuseBadChannelsWithoutRepeatingSecrets(String fields, String message) {
        String answer = admin.merge(CHANNELS, fields);

        assertTrue(answer.startsWith("{'error':'" + message), answer);
        assertFalse(answer.contains("pw"), answer);
        assertEquals(0, admin.ruleset.version());
    }

    @Test
    void shouldCreateUnsubscribeKeyWithFirstMailServer() {
        admin.merge(CHANNELS, "{'email':{'from':'a@b.example'}}");
        assertNull(unsubscribeKey());

        admin.merge(CHANNELS, "{'email':{'smtpUrl':'smtp://mail.example'}}");
        String key = unsubscribeKey();
        assertTrue(key.matches("[0-9a-f]{64}"), key);

        admin.merge(CHANNELS, "{'email':{'smtpUrl':null}}");
        String answer = admin.merge(CHANNELS, "{'email':{'smtpUrl':'smtp://mail.example:26'}}");
        assertEquals(key, unsubscribeKey());
        assertFalse(answer.contains(key), answer);
    }

    private String unsubscribeKey() {
        return admin.access.secret(TenantId.NONE, Secret.CHANNELS, Secret.UNSUBSCRIBE);
    }
}
