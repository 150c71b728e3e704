package dev.laurel.schemas.admin;

import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.edit.Edit.SettingsKind;
import dev.laurel.schemas.ruleset.Notifications.RecapPeriod;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.serde.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.laurel.schemas.admin.AdminEdits.id;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Edits of the singletons of the admin API (docs/admin-api.md B2, B3). */
class SettingsEditTest {

    private static final String STREAK = "{'enabled':true,'frequency':'daily','evaluationMode':'OR','metrics':[],'daysOff':[],"
            + "'freezesEnabled':false,'initialFreezes':0,'maxFreezes':3,'freezeAutoEarnInterval':null,"
            + "'freezeAutoEarnAmount':null,'personalizationEnabled':false,'personalizationMetrics':null,'customizationEnabled':false,"
            + "'freezes':null}";
    private static final String ACCOUNT = "{'controlRatio':0,'weekStartsOn':'sunday','defaultTimeZone':'UTC',"
            + "'messageTimeZone':'America/New_York','integerLeaderboardValues':false,'applicationKeysEnabled':true,"
            + "'rateLimits':null,'branding':{'appName':'','appUrl':'','logoUrl':null,'logo':null,'appIcon':null,"
            + "'brandColor':'#2f6f4f','font':'MODERN_SANS'},'experimentation':{'controlRatio':0,"
            + "'userActivationWindow':14},'analyticsRetentionDays':1096,'trackOpens':false,"
            + "'trackClicks':false,'aggregationPeriod':'weekly','recapPeriod':'weekly','multiTenancyEnabled':false}";

    private final AdminEdits edits = new AdminEdits();

    @Test
    void shouldShowDefaultsAndCreateNoVersionForEmptyPatch() {
        assertEquals(STREAK, edits.show(SettingsKind.STREAK));
        assertEquals(ACCOUNT, edits.show(SettingsKind.ACCOUNT));

        assertEquals("200 " + STREAK, edits.patch(SettingsKind.STREAK, "{}"));
        assertEquals("200 " + ACCOUNT, edits.patch(SettingsKind.ACCOUNT,
                "{'controlRatio':null,'branding':{'appName':null},'experimentation':{'controlRatio':null}}"));
        assertEquals(0, edits.ruleset.version());
    }

    @Test
    void shouldAcceptShownSettingsAsPatch() {
        metric();
        String all = "{'enabled':false,'frequency':'weekly','evaluationMode':'AND','metrics':[{'key':'laps','metricId':'"
                + id(1)
                + "','threshold':2,'exactThreshold':1.5}],'daysOff':[],'freezesEnabled':true,'initialFreezes':2,'maxFreezes':5,"
                + "'freezeAutoEarnInterval':7,'freezeAutoEarnAmount':1,'personalizationEnabled':true,"
                + "'personalizationMetrics':[{'metricId':'" + id(1) + "','min':0.5,'max':null}],"
                + "'customizationEnabled':true,'freezes':{'startCount':2,'maxCount':5,'autoEarnInterval':7,"
                + "'autoEarnAmount':1}}";

        assertEquals("200 " + all, edits.patch(SettingsKind.STREAK, all));
        long version = edits.ruleset.version();
        assertEquals("200 " + all, edits.patch(SettingsKind.STREAK, edits.show(SettingsKind.STREAK)));
        assertEquals(version, edits.ruleset.version());

        String account = "{'controlRatio':10,'weekStartsOn':'monday','defaultTimeZone':'Europe/Helsinki',"
                + "'messageTimeZone':'Asia/Tokyo','integerLeaderboardValues':true,'applicationKeysEnabled':false,"
                + "'rateLimits':{'tier1':5,'tier2':null},'branding':{'appName':'Pool','appUrl':'https://x.example',"
                + "'logoUrl':'https://x.example/l.png','logo':{'url':'https://x.example/l.png'},"
                + "'appIcon':{'url':'https://x.example/i.png'},'brandColor':'#00ff99','font':'Inter'},"
                + "'experimentation':{'controlRatio':10,'userActivationWindow':30},'analyticsRetentionDays':1096,'trackOpens':true,"
                + "'trackClicks':true,'aggregationPeriod':'monthly','recapPeriod':'monthly',"
                + "'multiTenancyEnabled':false}";
        assertEquals("200 " + account, edits.patch(SettingsKind.ACCOUNT, account));
        assertEquals(account, edits.show(SettingsKind.ACCOUNT));

        edits.patch(SettingsKind.ACCOUNT, ACCOUNT);
        assertEquals(Settings.Branding.NONE, edits.ruleset.settings().branding());
        version = edits.ruleset.version();
        assertEquals("200 " + ACCOUNT,
                edits.patch(SettingsKind.ACCOUNT, edits.show(SettingsKind.ACCOUNT)));
        assertEquals(version, edits.ruleset.version());
    }

    @Test
    void shouldMergeAndClearAccountSettings() {
        edits.patch(SettingsKind.ACCOUNT, "{'rateLimits':{'tier1':5,'tier2':6},'branding':{'appName':'Pool'}}");

        edits.patch(SettingsKind.ACCOUNT,
                "{'rateLimits':{'tier1':null},'branding':{'appName':null,'font':'Inter'},'controlRatio':7}");
        assertEquals(
                ACCOUNT.replace("'rateLimits':null", "'rateLimits':{'tier1':null,'tier2':6}")
                        .replace("MODERN_SANS", "Inter").replace("'controlRatio':0", "'controlRatio':7"),
                edits.show(SettingsKind.ACCOUNT));

        edits.patch(SettingsKind.ACCOUNT, "{'rateLimits':null}");
        assertNull(edits.ruleset.settings().rateLimits());
    }

    @Test
    void shouldAcceptBothNamesOfASetting() {
        edits.patch(SettingsKind.ACCOUNT,
                "{'experimentation':{'controlRatio':7},'branding':{'logo':{'url':'https://x.example/a'}}}");
        assertEquals(7, edits.ruleset.settings().controlRatio());
        assertEquals("https://x.example/a", edits.ruleset.settings().branding().logoUrl());

        edits.patch(SettingsKind.ACCOUNT,
                "{'experimentation':{'controlRatio':8,'userActivationWindow':3},'controlRatio':8,"
                        + "'branding':{'logo':null,'logoUrl':null}}");
        assertEquals(8, edits.ruleset.settings().controlRatio());
        assertEquals(3, edits.ruleset.settings().userActivationWindow());
        assertNull(edits.ruleset.settings().branding().logoUrl());

        edits.patch(SettingsKind.ACCOUNT, "{'controlRatio':9,'experimentation':{'userActivationWindow':4}}");
        assertEquals(9, edits.ruleset.settings().controlRatio());
        assertEquals(4, edits.ruleset.settings().userActivationWindow());
    }

    @Test
    void shouldSetThePeriodOfRecapsByEitherName() {
        edits.patch(SettingsKind.ACCOUNT, "{'aggregationPeriod':'monthly'}");
        assertEquals(RecapPeriod.MONTHLY, edits.ruleset.notifications().timing().recapPeriod());

        edits.patch(SettingsKind.NOTIFICATIONS, "{'recapPeriod':'daily'}");
        assertEquals(ACCOUNT.replace("'recapPeriod':'weekly'", "'recapPeriod':'daily'"),
                edits.show(SettingsKind.ACCOUNT));
        edits.patch(SettingsKind.ACCOUNT, "{'aggregationPeriod':'weekly'}");
        assertEquals(RecapPeriod.DAILY, edits.ruleset.notifications().timing().recapPeriod());

        edits.patch(SettingsKind.NOTIFICATIONS, "{'recapPeriod':'yearly'}");
        String yearly = ACCOUNT.replace("'aggregationPeriod':'weekly','recapPeriod':'weekly'",
                "'aggregationPeriod':'monthly','recapPeriod':'yearly'");
        assertEquals(yearly, edits.show(SettingsKind.ACCOUNT));
        assertEquals("200 " + yearly, edits.patch(SettingsKind.ACCOUNT, yearly));
        assertEquals(RecapPeriod.YEARLY, edits.ruleset.notifications().timing().recapPeriod());
        edits.patch(SettingsKind.ACCOUNT, "{'recapPeriod':'daily'}");
        assertEquals(RecapPeriod.DAILY, edits.ruleset.notifications().timing().recapPeriod());
        edits.patch(SettingsKind.ACCOUNT, "{'aggregationPeriod':'monthly','recapPeriod':'monthly'}");
        edits.patch(SettingsKind.ACCOUNT, "{'aggregationPeriod':'weekly'}");
        assertEquals(RecapPeriod.WEEKLY, edits.ruleset.notifications().timing().recapPeriod());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"#1A2b3C|#1A2b3C", "#1aC|#11aaCC", "rgb(26,43,60)|#1a2b3c",
            "rgba( 26 , 43 , 60 , 1 )|#1a2b3c", "rgba(0, 0, 0, 0.5)|#808080", "rgb(0%, 50%, 100%)|#0080ff",
            "rgba(255, 0, 0, 20%)|#ffcccc", "rgba(255, 0, 0, 0)|#ffffff"})
    void shouldConvertEveryFormOfColourToSixDigits(String color, String css) {
        String answer = edits.patch(SettingsKind.ACCOUNT, "{'branding':{'brandColor':'" + color + "'}}");

        assertTrue(answer.contains("'brandColor':'" + color + "'"), answer);
        assertEquals(css, edits.ruleset.settings().branding().cssColor());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"MODERN_SANS|Arial, Helvetica, sans-serif",
            "MONOSPACE|Menlo, Consolas, Courier New, monospace", "Inter|Inter, Arial, Helvetica, sans-serif"})
    void shouldConvertFamiliesToNamesOfFonts(String font, String css) {
        String answer = edits.patch(SettingsKind.ACCOUNT, "{'branding':{'font':'" + font + "'}}");

        assertTrue(answer.contains("'font':'" + font + "'"), answer);
        assertEquals(css, edits.ruleset.settings().branding().cssFonts());
    }

    @Test
    void shouldRememberFreezesWhileTheyAreOff() {
        edits.patch(SettingsKind.STREAK, "{'maxFreezes':5,'initialFreezes':1}");
        assertNull(edits.ruleset.streak().freezes());

        edits.patch(SettingsKind.STREAK, "{'freezesEnabled':true}");
        assertEquals(5, edits.ruleset.streak().freezes().max());

        String off = edits.patch(SettingsKind.STREAK, "{'freezesEnabled':false}");
        assertTrue(off.contains("'freezesEnabled':false,'initialFreezes':1,'maxFreezes':5"), off);
        assertNull(edits.ruleset.streak().freezes());
    }

    @Test
    void shouldClearDaysOffWithAFrequencyThatIsNotDaily() {
        assertTrue(edits.patch(SettingsKind.STREAK, "{'daysOff':[6,0]}").contains("'daysOff':[0,6]"));
        assertTrue(edits.patch(SettingsKind.STREAK, "{'frequency':'daily'}").contains("'daysOff':[0,6]"));

        assertTrue(edits.patch(SettingsKind.STREAK, "{'frequency':'monthly'}").contains("'daysOff':[]"));
        assertTrue(edits.patch(SettingsKind.STREAK, "{'frequency':'daily'}").contains("'daysOff':[]"));
        assertTrue(edits.patch(SettingsKind.STREAK, "{'daysOff':[3]}").contains("'daysOff':[3]"));
        assertTrue(edits.patch(SettingsKind.STREAK, "{'daysOff':[]}").contains("'daysOff':[]"));
    }

    /** A document of an earlier release may hold them. */
    @Test
    void shouldCutStoredInitialFreezesToTheirMaximum() {
        edits.patch(SettingsKind.STREAK, "{'freezesEnabled':true,'initialFreezes':2,'maxFreezes':3}");
        String stored = new String(Json.write(edits.ruleset), UTF_8).replace("\"initial\":2", "\"initial\":50");

        edits.ruleset = Json.read(stored.getBytes(UTF_8), Ruleset.class);

        assertEquals(3, edits.ruleset.streak().freezes().initial());
        String answer = edits.patch(SettingsKind.STREAK, "{'maxFreezes':4}");
        assertTrue(answer.startsWith("200 ") && answer.contains("'initialFreezes':3,'maxFreezes':4"), answer);
    }

    @Test
    void shouldClearAutoEarnAndPersonalizationMetrics() {
        metric();
        edits.patch(SettingsKind.STREAK, "{'freezesEnabled':true,'freezeAutoEarnInterval':7,'freezeAutoEarnAmount':1,"
                + "'personalizationEnabled':true,'personalizationMetrics':[{'metricId':'" + id(1) + "'}]}");
        assertNotNull(edits.ruleset.streak().personalization());

        String answer = edits.patch(SettingsKind.STREAK,
                "{'freezeAutoEarnInterval':null,'freezeAutoEarnAmount':null,'personalizationMetrics':null}");

        assertTrue(answer.contains("'freezeAutoEarnInterval':null,'freezeAutoEarnAmount':null,"
                + "'personalizationEnabled':true,'personalizationMetrics':null"), answer);
    }

    @Test
    void shouldTakeTheFormOfPublicClients() {
        metric();
        String shown = edits.patch(SettingsKind.STREAK,
                "{'customizationEnabled':true,'metrics':[{'key':'laps','threshold':5}],"
                        + "'freezes':{'startCount':1,'maxCount':4,'autoEarnInterval':7,'autoEarnAmount':2}}");

        assertTrue(shown.contains("'metrics':[{'key':'laps','metricId':'" + id(1) + "','threshold':5}]"), shown);
        assertTrue(shown.contains("'freezesEnabled':true,'initialFreezes':1,'maxFreezes':4,'freezeAutoEarnInterval':7,"
                + "'freezeAutoEarnAmount':2,'personalizationEnabled':true"), shown);
        assertTrue(shown.contains("'customizationEnabled':true,'freezes':{'startCount':1,'maxCount':4,"
                + "'autoEarnInterval':7,'autoEarnAmount':2}"), shown);

        String replaced = edits.patch(SettingsKind.STREAK, "{'freezes':{'startCount':0,'maxCount':2}}");
        assertTrue(replaced.contains("'freezes':{'startCount':0,'maxCount':2,'autoEarnInterval':null,"
                + "'autoEarnAmount':null}"), replaced);
        String off = edits.patch(SettingsKind.STREAK, "{'freezes':null,'customizationEnabled':false}");
        assertTrue(off.contains("'customizationEnabled':false,'freezes':null"), off);
        assertNull(edits.ruleset.streak().freezes());
        assertNull(edits.ruleset.streak().personalization());
    }

    /** Typed clients read a whole number from 1 to 10000, an interval up to 365 and an amount up to 10. */
    @ParameterizedTest
    @CsvSource({"0.5,1", "2.5,3", "10000.5,10000", "1000000000000,10000"})
    void shouldShowWithinTheLimitsOfPublicClientsWhatExceedsThem(String threshold, int shownThreshold) {
        metric();
        edits.patch(SettingsKind.STREAK, "{'metrics':[{'metricId':'" + id(1) + "','threshold':" + threshold
                + "}],'freezesEnabled':true,'freezeAutoEarnInterval':400,'freezeAutoEarnAmount':20}");
        String shown = edits.show(SettingsKind.STREAK);
        long version = edits.ruleset.version();

        assertTrue(shown.contains("'metrics':[{'key':'laps','metricId':'" + id(1) + "','threshold':" + shownThreshold
                + ",'exactThreshold':" + threshold + "}]"), shown);
        assertTrue(shown.contains("'freezeAutoEarnInterval':400,'freezeAutoEarnAmount':20"), shown);
        assertTrue(shown.contains("'autoEarnInterval':365,'autoEarnAmount':10}"), shown);
        // As it is, and as a client sends it that knows only the public form.
        assertEquals("200 " + shown, edits.patch(SettingsKind.STREAK, shown));
        assertEquals("200 " + shown, edits.patch(SettingsKind.STREAK, "{'metrics':[{'key':'laps','threshold':"
                + shownThreshold
                + "}],'freezes':{'startCount':0,'maxCount':3,'autoEarnInterval':365,'autoEarnAmount':10}}"));
        assertEquals(version, edits.ruleset.version());

        String changed = edits.patch(SettingsKind.STREAK, "{'metrics':[{'key':'laps','threshold':7}],"
                + "'freezes':{'startCount':0,'maxCount':3,'autoEarnInterval':364,'autoEarnAmount':9}}");
        assertTrue(changed.contains("'threshold':7}]") && changed.contains("'freezeAutoEarnInterval':364,"
                + "'freezeAutoEarnAmount':9"), changed);
    }

    @Test
    void shouldSetExactlyWhatLaurelsNamesSay() {
        metric();
        edits.patch(SettingsKind.STREAK,
                "{'metrics':[{'key':'laps','threshold':1,'exactThreshold':0.5}],'freezesEnabled':true,"
                        + "'freezeAutoEarnInterval':400,'freezeAutoEarnAmount':20}");
        assertEquals("0.5", edits.ruleset.streak().conditions().getFirst().threshold().toPlainString());

        String whole = edits.patch(SettingsKind.STREAK, "{'metrics':[{'metricId':'" + id(1) + "','threshold':1}],"
                + "'freezeAutoEarnInterval':365,'freezeAutoEarnAmount':10,"
                + "'freezes':{'startCount':0,'maxCount':3,'autoEarnInterval':365,'autoEarnAmount':10}}");
        assertTrue(whole.contains("'threshold':1}]") && whole.contains("'freezeAutoEarnInterval':365"), whole);
    }

    @Test
    void shouldClearConditionsOnlyBesideANameOfLaurel() {
        metric();
        edits.patch(SettingsKind.STREAK, "{'metrics':[{'metricId':'" + id(1) + "','threshold':1}]}");

        assertEquals("422 {'error':'metrics must have at least one entry'}",
                edits.patch(SettingsKind.STREAK, "{'metrics':[]}"));
        assertTrue(edits.patch(SettingsKind.STREAK, "{'metrics':[],'enabled':true}").contains("'metrics':[]"));
        String shown = edits.show(SettingsKind.STREAK);
        assertEquals("200 " + shown, edits.patch(SettingsKind.STREAK, shown));
    }

    @Test
    void shouldNotDeleteMetricThatStreaksNeed() {
        metric();
        edits.patch(SettingsKind.STREAK, "{'metrics':[{'metricId':'" + id(1) + "','threshold':1}]}");

        assertTrue(edits.delete(ObjectKind.METRIC, null, id(1))
                .contains("Metric is still used by the streak settings"));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "SettingsEditTest.shouldChangeNothingForOneBadField.csv", delimiter = '|', quoteCharacter = '`')
    void shouldChangeNothingForOneBadField(SettingsKind kind, String fields, String error) {
        metric();
        String before = edits.show(kind);

        assertEquals("422 {'error':'" + filled(error) + "'}", edits.patch(kind, filled(fields)));
        assertEquals(before, edits.show(kind));
    }

    private void metric() {
        edits.create(ObjectKind.METRIC, null, "[{'name':'Laps','key':'laps'}]");
    }

    private static String filled(String text) {
        return text.replace("%1", id(1).toString()).replace("%9", id(9).toString());
    }
}
