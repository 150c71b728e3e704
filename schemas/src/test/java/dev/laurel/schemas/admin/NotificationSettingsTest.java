package dev.laurel.schemas.admin;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.serde.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.laurel.schemas.edit.Edit.SettingsKind.CHANNELS;
import static dev.laurel.schemas.edit.Edit.SettingsKind.NOTIFICATIONS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class NotificationSettingsTest {

    private static final String USUAL = "{'recapPeriod':'weekly','reactivationDays':[3,5,7,14,30],'streakReminder':"
            + "{'dailyHoursBefore':4,'weeklyDay':'friday','weeklyTime':'09:00','monthlyDay':25,'monthlyTime':'09:00'},"
            + "'achievementWindow':{'from':'17:00','to':'21:00'},'enabled':{}}";
    private static final String APNS = "{'signingKey':'" + PushSecrets.pem("EC", 256)
            + "','teamId':'T','keyId':'K','bundleId':'B'}";
    private static final String ACCOUNT = PushSecrets.serviceAccount(2048);

    private final AdminEdits admin = new AdminEdits();

    @Test
    void shouldShowTheDefaults() {
        assertEquals(USUAL, admin.show(NOTIFICATIONS));
        assertEquals("{'email':{'from':null,'fromName':null,'replyTo':null,'smtpConfigured':false},'push':"
                + "{'apns':{'configured':false},'fcm':{'configured':false},'expo':{'configured':false}}}",
                admin.show(CHANNELS));
    }

    @Test
    void shouldMergeGivenFieldsIntoNestedObjects() {
        String once = admin.merge(NOTIFICATIONS, "{'recapPeriod':'daily','streakReminder':{'weeklyDay':'monday'},"
                + "'enabled':{'recap':false,'reactivation':true},'reactivationDays':null}");
        assertEquals(USUAL.replace("'weekly'", "'daily'").replace("friday", "monday").replace("'enabled':{}",
                "'enabled':{'recap':false,'reactivation':true}"), once);

        String twice = admin.merge(NOTIFICATIONS, "{'streakReminder':{'monthlyDay':1,'weeklyTime':'08:30:15'},"
                + "'achievementWindow':{'to':'22:00'},'enabled':{'recap':null},'reactivationDays':[]}");
        assertEquals(once.replace("25", "1").replace("'weeklyTime':'09:00'", "'weeklyTime':'08:30:15'")
                .replace("21:00", "22:00").replace("'recap':false,", "").replace("3,5,7,14,30", ""), twice);
        assertEquals(twice, admin.show(NOTIFICATIONS));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', value = {
            "{'recapPeriod':'hourly'}|recapPeriod must be one of daily, weekly, monthly, yearly",
            "{'reactivationDays':[0]}|reactivationDays[0] must be a whole number from 1 to 1000",
            "{'reactivationDays':[5,3]}|reactivationDays[1] must be greater than the one before, 5",
            "{'reactivationDays':['5']}|reactivationDays[0] must be a whole number from 1 to 1000",
            "{'reactivationDays':5}|reactivationDays must be an array",
            "{'streakReminder':{'dailyHoursBefore':24}}|streakReminder.dailyHoursBefore must be a whole number",
            "{'streakReminder':{'weeklyTime':'9'}}|streakReminder.weeklyTime must be a time of day",
            "{'streakReminder':{'weeklyDay':'Friday'}}|streakReminder.weeklyDay must be one of monday",
            "{'achievementWindow':{'from':'21:00'}}|achievementWindow.to must be after from, 21:00",
            "{'enabled':{'news':true}}|enabled.news must be one of achievement_completed",
            "{'enabled':{'recap':'yes'}}|enabled.recap must be true or false"})
    void shouldChangeNothingIfAFieldIsBad(String fields, String message) {
        String answer = admin.merge(NOTIFICATIONS,
                fields.contains("recapPeriod") ? fields : "{'recapPeriod':'daily'," + fields.substring(1));

        assertTrue(answer.startsWith("{'error':'" + message), answer);
        assertEquals(USUAL, admin.show(NOTIFICATIONS));
    }

    @Test
    void shouldShowOnlyThatChannelSecretsAreConfigured() {
        String answer = admin.merge(CHANNELS, "{'email':{'from':'team@pool.example','fromName':'Pool',"
                + "'smtpUrl':'smtps://user:pw@mail.example:465'},'push':{'apns':" + APNS
                + ",'fcm':{'serviceAccount':" + ACCOUNT + "}}}");

        assertEquals("{'email':{'from':'team@pool.example','fromName':'Pool','replyTo':null,'smtpConfigured':true},"
                + "'push':{'apns':{'configured':true},'fcm':{'configured':true},'expo':{'configured':false}}}", answer);
        assertEquals(answer, admin.show(CHANNELS));
        assertEquals("smtps://user:pw@mail.example:465",
                admin.access.secret(TenantId.NONE, Secret.CHANNELS, "smtpUrl"));
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
        admin.merge(CHANNELS, "{'email':{'from':'a@b.example','smtpUrl':'smtp://mail.example'},'push':{'apns':" + APNS
                + ",'expo':{'token':'t'}}}");

        String answer = admin.merge(CHANNELS,
                "{'email':{'from':null,'replyTo':'c@d.example'},'push':{'apns':{'keyId':null},'expo':null}}");

        assertEquals("{'email':{'from':null,'fromName':null,'replyTo':'c@d.example','smtpConfigured':true},'push':"
                + "{'apns':{'configured':false},'fcm':{'configured':false},'expo':{'configured':false}}}", answer);
        assertNull(admin.access.secret(TenantId.NONE, Secret.CHANNELS, "expo.token"));
        assertEquals("T", admin.access.secret(TenantId.NONE, Secret.CHANNELS, "apns.teamId"));
        assertTrue(admin.merge(CHANNELS, "{'push':{'apns':{'keyId':'K2'}}}").contains("'apns':{'configured':true}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', value = {
            "{'email':{'smtpUrl':'https://user:pw@mail.example'}}|email.smtpUrl must be an address such as smtps",
            "{'email':{'smtpUrl':'smtp://u:pw@mail.example:99999'}}|email.smtpUrl must be an address such as smtps",
            "{'email':{'smtpUrl':'smtp://u:pw@mail.example:0'}}|email.smtpUrl must be an address such as smtps",
            "{'email':{'smtpUrl':'pw'}}|email.smtpUrl must be an address such as smtps",
            "{'email':{'from':'Pool <a@b.example>'}}|email.from must be an email address",
            "{'email':{'fromName':'a\\r\\nBcc: x'}}|email.fromName must be one line",
            "{'push':{'expo':{'token':''}}}|push.expo.token must have 1 to 2000 characters",
            "{'push':{'fcm':{'serviceAccount':['pw']}}}|push.fcm.serviceAccount must be a string",
            "{'push':{'apns':{'signingKey':{'a':'pw'}}}}|push.apns.signingKey must be a string",
            "{'push':{'apns':{'signingKey':'-----BEGIN pw'}}}|push.apns.signingKey must be a private key that begins",
            "{'push':{'apns':{'signingKey':'-----BEGIN PRIVATE KEY-----pw-----END PRIVATE KEY-----'}}}|"
                    + "push.apns.signingKey must be a private EC key",
            "{'push':{'apns':{'bundleId':'pw pw'}}}|push.apns.bundleId must be a bundle id",
            "{'push':{'apns':{'teamId':'pw/'}}}|push.apns.teamId must be the team",
            "{'push':{'apns':{'keyId':'pw/'}}}|push.apns.keyId must be the key",
            "{'push':{'fcm':{'serviceAccount':'pw'}}}|push.fcm.serviceAccount must be the JSON key file",
            "{'push':{'fcm':{'serviceAccount':'{}'}}}|push.fcm.serviceAccount must have a project_id",
            "{'push':{'apns':'pw'}}|push.apns must be an object"})
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

    @Test
    void shouldFindTenantsWithMailServerButNoUnsubscribeKey() {
        var index = new AccessIndex();
        put(index, new Secret(new TenantId("new"), Secret.CHANNELS, Secret.SMTP_URL, "smtp://mail.example"));
        put(index, new Secret(new TenantId("old"), Secret.CHANNELS, Secret.SMTP_URL, "smtp://mail.example"));
        put(index, new Secret(new TenantId("none"), Secret.CHANNELS, "expo.token", "t"));
        put(index, new Secret(new TenantId("new"), Secret.CHANNELS, Secret.UNSUBSCRIBE, "0123"));

        List<Secret> missing = Editor.missingUnsubscribeKeys(index, () -> new byte[32]);
        assertEquals(List.of(new TenantId("old")), missing.stream().map(Secret::tenant).toList());
        assertEquals(Secret.UNSUBSCRIBE, missing.getFirst().name());

        put(index, missing.getFirst());
        assertEquals(List.of(), Editor.missingUnsubscribeKeys(index, () -> new byte[32]));
    }

    private static void put(AccessIndex index, Secret secret) {
        index.put(secret.recordKey(), secret);
    }

    private String unsubscribeKey() {
        return admin.access.secret(TenantId.NONE, Secret.CHANNELS, Secret.UNSUBSCRIBE);
    }
}
