package dev.laurel.gateway;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class LayeringTest {

    private static final String BASE = "dev.laurel.gateway";
    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(BASE);

    @Test
    void shouldKeepAdmissionPure() {
        classes()
                .that()
                .resideInAPackage(BASE + ".admission")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "org.jspecify.annotations",
                        BASE + ".admission",
                        "dev.laurel.schemas.command",
                        "dev.laurel.schemas.input",
                        "dev.laurel.schemas.key",
                        "dev.laurel.schemas.ruleset")
                .check(classes);
    }

    @Test
    void shouldKeepJavalinInHttp() {
        noClasses()
                .that()
                .resideOutsideOfPackage(BASE + ".http")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.javalin..")
                .check(classes);
    }

    @Test
    void shouldKeepKafkaOutOfHttp() {
        noClasses()
                .that()
                .resideInAPackage(BASE + ".http")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.kafka..")
                .check(classes);
    }

    @Test
    void shouldKeepJacksonOutOfTheGateway() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("tools.jackson..", "com.fasterxml..")
                .check(classes);
    }
}
