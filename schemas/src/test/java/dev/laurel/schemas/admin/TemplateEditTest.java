package dev.laurel.schemas.admin;

import static dev.laurel.schemas.edit.Edit.ObjectKind.TEMPLATE;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class TemplateEditTest {

    private static final String EMAIL = "{'type':'recap','channel':'email','name':'Recap','subject':'Your week',"
            + "'body':'You swam {{ recap.periodEnd }}.','status':'active'}";

    private final AdminEdits admin = new AdminEdits();

    @ParameterizedTest
    @CsvFileSource(resources = "TemplateEditTest.shouldNameWhatIsWrong.csv", delimiter = '|', quoteCharacter = '^')
    void shouldNameWhatIsWrong(String before, String after, String message) {
        assertTrue(EMAIL.contains(before), before);

        String answer = admin.create(TEMPLATE, null, "[" + EMAIL.replace(before, after == null ? "" : after) + "]");

        assertTrue(answer.startsWith("{'created':[],'issues':[{'severity':'error','message':'" + message), answer);
    }
}
