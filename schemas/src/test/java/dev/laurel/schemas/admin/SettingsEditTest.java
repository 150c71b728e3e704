package dev.laurel.schemas.admin;

import static dev.laurel.schemas.admin.AdminEdits.id;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.edit.Edit.SettingsKind;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.serde.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** Edits of the singletons of the admin API (docs/admin-api.md B2, B3). */
class SettingsEditTest {

    private static final String STREAK =
            "{'enabled':true,'frequency':'daily','evaluationMode':'OR','metrics':[],'daysOff':[],"
                    + "'freezesEnabled':false,'initialFreezes':0,'maxFreezes':3,'freezeAutoEarnInterval':null,"
                    + "'freezeAutoEarnAmount':null,'personalizationEnabled':false,'personalizationMetrics':null,"
                    + "'customizationEnabled':false,"
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
        assertEquals(
                "200 " + ACCOUNT,
                edits.patch(
                        SettingsKind.ACCOUNT,
                        "{'controlRatio':null,'branding':{'appName':null},'experimentation':{'controlRatio':null}}"));
        assertEquals(0, edits.ruleset.version());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "#1A2b3C|#1A2b3C",
                "#1aC|#11aaCC",
                "rgb(26,43,60)|#1a2b3c",
                "rgba( 26 , 43 , 60 , 1 )|#1a2b3c",
                "rgba(0, 0, 0, 0.5)|#808080",
                "rgb(0%, 50%, 100%)|#0080ff",
                "rgba(255, 0, 0, 20%)|#ffcccc",
                "rgba(255, 0, 0, 0)|#ffffff"
            })
    void shouldConvertEveryFormOfColourToSixDigits(String color, String css) {
        String answer = edits.patch(SettingsKind.ACCOUNT, "{'branding':{'brandColor':'" + color + "'}}");

        assertTrue(answer.contains("'brandColor':'" + color + "'"), answer);
        assertEquals(css, edits.ruleset.settings().branding().cssColor());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MODERN_SANS|Arial, Helvetica, sans-serif",
                "MONOSPACE|Menlo, Consolas, Courier New, monospace",
                "Inter|Inter, Arial, Helvetica, sans-serif"
            })
    void shouldConvertFamiliesToNamesOfFonts(String font, String css) {
        String answer = edits.patch(SettingsKind.ACCOUNT, "{'branding':{'font':'" + font + "'}}");

        assertTrue(answer.contains("'font':'" + font + "'"), answer);
        assertEquals(css, edits.ruleset.settings().branding().cssFonts());
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

    /** Typed clients read a whole number from 1 to 10000, an interval up to 365 and an amount up to 10. */
    @ParameterizedTest
    @CsvSource({"0.5,1", "2.5,3", "10000.5,10000", "1000000000000,10000"})
    void shouldShowWithinTheLimitsOfPublicClientsWhatExceedsThem(String threshold, int shownThreshold) {
        metric();
        edits.patch(
                SettingsKind.STREAK,
                "{'metrics':[{'metricId':'" + id(1) + "','threshold':" + threshold
                        + "}],'freezesEnabled':true,'freezeAutoEarnInterval':400,'freezeAutoEarnAmount':20}");
        String shown = edits.show(SettingsKind.STREAK);
        long version = edits.ruleset.version();

        assertTrue(
                shown.contains("'metrics':[{'key':'laps','metricId':'" + id(1) + "','threshold':" + shownThreshold
                        + ",'exactThreshold':" + threshold + "}]"),
                shown);
        assertTrue(shown.contains("'freezeAutoEarnInterval':400,'freezeAutoEarnAmount':20"), shown);
        assertTrue(shown.contains("'autoEarnInterval':365,'autoEarnAmount':10}"), shown);
        // As it is, and as a client sends it that knows only the public form.
        assertEquals("200 " + shown, edits.patch(SettingsKind.STREAK, shown));
        assertEquals(
                "200 " + shown,
                edits.patch(
                        SettingsKind.STREAK,
                        "{'metrics':[{'key':'laps','threshold':"
                                + shownThreshold
                                + "}],'freezes':{'startCount':0,'maxCount':3,'autoEarnInterval':365,'autoEarnAmount':10}}"));
        assertEquals(version, edits.ruleset.version());

        String changed = edits.patch(
                SettingsKind.STREAK,
                "{'metrics':[{'key':'laps','threshold':7}],"
                        + "'freezes':{'startCount':0,'maxCount':3,'autoEarnInterval':364,'autoEarnAmount':9}}");
        assertTrue(
                changed.contains("'threshold':7}]")
                        && changed.contains("'freezeAutoEarnInterval':364," + "'freezeAutoEarnAmount':9"),
                changed);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "SettingsEditTest.shouldChangeNothingForOneBadField.csv",
            delimiter = '|',
            quoteCharacter = '`')
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
