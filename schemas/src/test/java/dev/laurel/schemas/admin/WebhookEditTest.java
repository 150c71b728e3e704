package dev.laurel.schemas.admin;

import static dev.laurel.schemas.admin.AdminEdits.id;
import static dev.laurel.schemas.edit.Edit.ObjectKind.WEBHOOK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.SettingsKind;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookEditTest {

    private static final String CRM = "{'name':'CRM','url':'https://crm.example/laurel','events':['streak.lost']}";
    private static final String CREATED = "'created':'2026-03-04T12:00:00.000Z','updated':'2026-03-04T12:00:00.000Z'";
    private static final String FROM_FILE =
            "{\"webhooks\":{\"crm\":{\"url\":\"https://crm.example\"," + "\"events\":[\"streak.lost\"]}}}";

    private final AdminEdits admin = new AdminEdits();

    @Test
    void shouldShowSecretOnlyOnCreation() {
        String answer = admin.create(WEBHOOK, null, "[" + CRM + "]");

        String secret = admin.signingSecret(id(1));
        assertTrue(secret.matches("whsec_[0-9a-f]{64}"), secret);
        String shown = "{'id':'" + id(1) + "','name':'CRM','url':'https://crm.example/laurel',"
                + "'events':['streak.lost'],'status':'active'," + CREATED;
        assertEquals("{'created':[" + shown + ",'secret':'" + secret + "'}],'issues':[]}", answer);
        assertEquals("[" + shown + "}]", admin.list(WEBHOOK, null));
    }

    @Test
    void shouldGiveEachWebhookItsOwnSecret() {
        admin.create(WEBHOOK, null, "[" + CRM + "," + CRM + "]");

        assertNotEquals(admin.signingSecret(id(1)), admin.signingSecret(id(2)));
    }

    @Test
    void shouldChangeOnlyTheGivenFieldsAndKeepTheSecret() {
        admin.create(WEBHOOK, null, "[" + CRM + "]");
        String secret = admin.signingSecret(id(1));
        admin.now = admin.now.plusSeconds(1);

        admin.update(WEBHOOK, null, "[{'id':'" + id(1) + "','status':'inactive','url':null}]");

        assertEquals(
                "[{'id':'" + id(1) + "','name':'CRM','url':'https://crm.example/laurel',"
                        + "'events':['streak.lost'],'status':'inactive','created':'2026-03-04T12:00:00.000Z',"
                        + "'updated':'2026-03-04T12:00:01.000Z'}]",
                admin.list(WEBHOOK, null));
        assertEquals(secret, admin.signingSecret(id(1)));
    }

    @Test
    void shouldShowTheDescription() {
        admin.create(WEBHOOK, null, "[" + CRM.replace("'url'", "'description':'Profiles of customers','url'") + "]");

        assertTrue(admin.list(WEBHOOK, null).contains("'name':'CRM','description':'Profiles of customers','url'"));
    }

    @Test
    void shouldDeleteSecretWithWebhook() {
        admin.create(WEBHOOK, null, "[" + CRM + "]");

        assertEquals("{'deleted':[{'id':'" + id(1) + "'}],'issues':[]}", admin.delete(WEBHOOK, null, id(1)));

        assertNull(admin.signingSecret(id(1)));
        assertEquals("{'error':'Webhook not found by ID'}", admin.rotate(id(1)));
    }

    @Test
    void shouldReplaceSecretOnRotation() {
        admin.create(WEBHOOK, null, "[" + CRM + "]");
        String before = admin.signingSecret(id(1));
        long version = admin.ruleset.version();

        String answer = admin.rotate(id(1));

        assertNotEquals(before, admin.signingSecret(id(1)));
        assertEquals("{'secret':'" + admin.signingSecret(id(1)) + "'}", answer);
        assertEquals(version, admin.ruleset.version());
    }

    @Test
    void shouldGiveSecretsToWebhooksOfADocument() {
        admin.replace(FROM_FILE);
        UUID webhook = admin.ruleset.webhooks().getFirst().id();
        String secret = admin.signingSecret(webhook);
        assertTrue(secret.startsWith("whsec_"));

        admin.replace(FROM_FILE.replace("crm.example", "other.example"));
        assertEquals(secret, admin.signingSecret(webhook));

        admin.replace("{}");
        assertNull(admin.signingSecret(webhook));

        admin.replace(FROM_FILE);
        assertEquals(webhook, admin.ruleset.webhooks().getFirst().id());
        assertNotEquals(secret, admin.signingSecret(webhook));
    }

    @Test
    void shouldShowKeyFromDocument() {
        admin.replace(FROM_FILE);

        assertTrue(admin.list(WEBHOOK, null).contains("'name':'crm','key':'crm',"));
    }

    @Test
    void shouldKeepSecretsOfTenantsApart() {
        admin.create(WEBHOOK, null, "[" + CRM + "]");

        assertNull(admin.access.secret(new TenantId("acme"), id(1).toString(), Secret.SIGNING));
    }

    @Test
    void shouldNotExposeSecretsElsewhere() {
        String answer = admin.create(WEBHOOK, null, "[" + CRM + "]");
        String secret = admin.signingSecret(id(1));
        assertTrue(answer.contains(secret));

        var record = new Secret(TenantId.NONE, id(1).toString(), Secret.SIGNING, secret);
        var patch = new Edit.Patch(SettingsKind.CHANNELS, java.util.Map.of("email", secret));
        var result = Editor.apply(admin.ruleset, admin.access, new Edit.RotateSecret(id(1)), admin.now, new byte[32]);
        String exported = Json.mapperForTools().writeValueAsString(RulesetSource.of(admin.ruleset, admin.now));
        for (String text : List.of(
                record.toString(),
                patch.toString(),
                result.toString(),
                exported,
                admin.ruleset.toString(),
                admin.list(WEBHOOK, null))) {
            assertFalse(text.contains("whsec_"), text);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "'name':'CRM',|name is required",
                "'url':'https://crm.example/laurel',|url is required",
                ",'events':['streak.lost']|events is required"
            })
    void shouldNameMissingField(String field, String message) {
        assertEquals(
                "{'created':[],'issues':[{'severity':'error','message':'" + message + "','index':0}]}",
                admin.create(WEBHOOK, null, "[" + CRM.replace(field, "") + "]"));
    }

    /** Schemes are case-insensitive (RFC 3986 §3.1). */
    @Test
    void shouldAcceptUpperCaseScheme() {
        String answer = admin.create(WEBHOOK, null, "[" + CRM.replace("https://", "HTTPS://") + "]");

        assertTrue(answer.contains("'url':'HTTPS://crm.example/laurel'"), answer);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "WebhookEditTest.shouldNameWhatIsWrong.csv", delimiter = '|', quoteCharacter = '^')
    void shouldNameWhatIsWrong(String before, String after, String message) {
        String answer = admin.create(WEBHOOK, null, "[" + CRM.replace(before, after) + "]");

        assertTrue(answer.startsWith("{'created':[],'issues':[{'severity':'error','message':'" + message), answer);
        assertTrue(admin.access.secret(TenantId.NONE, id(1).toString(), Secret.SIGNING) == null);
    }
}
