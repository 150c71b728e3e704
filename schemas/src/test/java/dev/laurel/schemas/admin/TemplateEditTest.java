package dev.laurel.schemas.admin;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

import static dev.laurel.schemas.admin.AdminEdits.id;
import static dev.laurel.schemas.edit.Edit.ObjectKind.ATTRIBUTE;
import static dev.laurel.schemas.edit.Edit.ObjectKind.TEMPLATE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TemplateEditTest {

    private static final String EMAIL = "{'type':'recap','channel':'email','name':'Recap','subject':'Your week',"
            + "'body':'You swam {{ recap.periodEnd }}.','status':'active'}";
    private static final String TIMES = "'created':'2026-03-04T12:00:00.000Z','updated':'2026-03-04T12:00:00.000Z'}";

    private final AdminEdits admin = new AdminEdits();

    @Test
    void shouldShowCreatedTemplate() {
        admin.create(ATTRIBUTE, null, "[{'name':'City','key':'city','type':'user'}]");

        String answer = admin.create(TEMPLATE, null, "[{'type':'streak_reminder','channel':'push','name':'Remind',"
                + "'title':'Swim!','body':'Now.','variations':[{'title':'Hey','body':'Swim.'}],"
                + "'userAttributes':[{'attributeId':'" + id(1) + "','attributeValue':'Turku'}]}]");

        assertEquals("{'created':[{'id':'" + id(2) + "','name':'Remind','type':'streak_reminder','channel':'push',"
                + "'title':'Swim!','body':'Now.','status':'inactive','userAttributes':[{'attributeId':'" + id(1)
                + "','attributeValue':'Turku'}],'variations':[{'title':'Hey','body':'Swim.'}]," + TIMES
                + "],'issues':[]}", answer);
        assertTrue(admin.delete(ATTRIBUTE, null, id(1)).contains("still used by the template '" + id(2)));
    }

    @Test
    void shouldActivateOnlyOneOfTypeChannelAndFilters() {
        String answer = admin.create(TEMPLATE, null, "[" + EMAIL + "," + EMAIL + ","
                + EMAIL.replace("'active'", "'inactive'") + "]");

        assertTrue(answer.endsWith("'issues':[{'severity':'error','message':'status must be inactive while the "
                + "template '" + id(1) + "' is active: both are of type recap and channel email and have the same "
                + "userAttributes','index':1}]}"), answer);
        assertTrue(admin.update(TEMPLATE, null, "[{'id':'" + id(3) + "','status':'active'}]")
                .contains("message':'status must be inactive while the template '" + id(1)));
        assertTrue(admin.update(TEMPLATE, null, "[{'id':'" + id(1) + "','status':'inactive'},{'id':'" + id(3)
                + "','status':'active'}]").endsWith("'issues':[]}"));
        assertTrue(admin.update(TEMPLATE, null, "[{'id':'" + id(1) + "','status':'active'}]")
                .contains("message':'status must be inactive while the template '" + id(3)));
    }

    @Test
    void shouldRequireFieldsOfNewChannel() {
        admin.create(TEMPLATE, null,
                "[" + EMAIL.replace("'status'", "'variations':[{'subject':'S','body':'B'}],'status'") + "]");

        assertTrue(admin.update(TEMPLATE, null, "[{'id':'" + id(1) + "','channel':'push'}]")
                .contains("'message':'title is required'"));
        assertTrue(admin.update(TEMPLATE, null, "[{'id':'" + id(1) + "','channel':'push','title':'T'}]")
                .contains("'channel':'push','title':'T','body':'You swam {{ recap.periodEnd }}.','status':'active',"
                        + "'userAttributes':[],'variations':[],"));
    }

    @Test
    void shouldClearVariations() {
        admin.create(TEMPLATE, null,
                "[" + EMAIL.replace("'status'", "'variations':[{'subject':'S','body':'B'}],'status'") + "]");

        assertTrue(admin.update(TEMPLATE, null, "[{'id':'" + id(1) + "'}]").contains("[{'subject':'S','body':'B'}]"));
        assertTrue(admin.update(TEMPLATE, null, "[{'id':'" + id(1) + "','variations':null}]")
                .contains("'variations':[],"));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "TemplateEditTest.shouldNameWhatIsWrong.csv", delimiter = '|', quoteCharacter = '^')
    void shouldNameWhatIsWrong(String before, String after, String message) {
        assertTrue(EMAIL.contains(before), before);

        String answer = admin.create(TEMPLATE, null,
                "[" + EMAIL.replace(before, after == null ? "" : after) + "]");

        assertTrue(answer.startsWith("{'created':[],'issues':[{'severity':'error','message':'" + message), answer);
    }

    @Test
    void shouldAcceptSections() {
        String answer = admin.create(TEMPLATE, null, "[" + EMAIL.replace("You swam",
                "{{#user.name}}Hi {{user.name}}{{/user.name}}{{^ user.name }}Hi{{/ user.name}}{{#user.deviceTokens}}{{.}}{{/user.deviceTokens}}")
                + "]");

        assertTrue(answer.endsWith("'issues':[]}"), answer);
    }

    @Test
    void shouldRefuseUnknownVariables() {
        String answer = admin.create(TEMPLATE, null, "[" + EMAIL.replace("You swam", "{{user.nmae}}") + "," + EMAIL
                .replace("Your week", "{{achievement.name}}") + "," + EMAIL + "]");

        assertTrue(answer.contains("'severity':'error','message':'body names an unknown variable 'user.nmae'; "
                + "nearest: user.name; messages of type recap have timestamp, type, user.(id, email, name, "), answer);
        assertTrue(answer.contains("'message':'subject names an unknown variable 'achievement.name'"), answer);
        assertTrue(
                admin.update(TEMPLATE, null, "[{'id':'" + id(3) + "','variations':[{'subject':'S','body':'{{x}}'}]}]")
                        .contains("'message':'variations[0].body names an unknown variable 'x'"));
        assertTrue(admin.update(TEMPLATE, null, "[{'id':'" + id(3) + "','type':'reactivation'}]")
                .contains("'message':'body names an unknown variable 'recap.periodEnd'"));
    }

    @Test
    void shouldAcceptStyleSheets() {
        admin.create(ATTRIBUTE, null, "[{'name':'Pool','key':'best-pool','type':'user'}]");

        String answer = admin.create(TEMPLATE, null, "[" + EMAIL.replace("You swam",
                "<style>@media print{p{margin:0}}</style>{{user.attributes.best-pool}}") + "]");

        assertTrue(answer.endsWith("'issues':[]}"), answer);
    }
}
