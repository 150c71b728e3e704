package dev.laurel.deploy;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assertions;

/**
 * The house's floor plan as a failing build: who may know whom, and what stays out of the pure core. It reads the byte
 * code of every module, without the tests.
 *
 * <p>A rule about a package that has no class (yet) holds: {@code allowEmptyShould(true)}. That such a rule does not
 * sleep for ever behind a misspelt package name is what {@link #shouldSeeTheModules} and the names in {@link #ROOTS} are
 * for.
 */
@AnalyzeClasses(packages = "dev.laurel", importOptions = ImportOption.DoNotIncludeTests.class)
class LayeringTest {

    private static final String SCHEMAS = "dev.laurel.schemas..";
    private static final String GATEWAY = "dev.laurel.gateway..";
    private static final String PROCESSORS = "dev.laurel.processors..";
    private static final String QUERY = "dev.laurel.query..";
    private static final String DEPLOY = "dev.laurel.deploy..";
    private static final String CORE = "dev.laurel.processors.core..";
    private static final String ADMISSION = "dev.laurel.gateway.admission..";

    /** Where wiring lives: the root package itself of each module, not what is below it. */
    private static final List<String> ROOTS = List.of("dev.laurel.schemas", "dev.laurel.gateway",
            "dev.laurel.processors",
            "dev.laurel.query");

    private static final Set<String> CLOCKS = Set.of("java.time.Clock", "java.util.Random",
            "java.security.SecureRandom",
            "java.util.SplittableRandom", "java.util.concurrent.ThreadLocalRandom");
    private static final Set<String> NOW = Set.of("java.lang.System.currentTimeMillis", "java.lang.System.nanoTime",
            "java.util.UUID.randomUUID", "java.lang.Math.random");
    private static final Pattern TIME_NOW = Pattern.compile("java[.]time[.]\\w+[.]now");
    private static final Pattern EMPTY_WORD = Pattern.compile("\\w*(Util|Helper|Manager)\\w*|\\w*Data");

    // Modules.

    @ArchTest
    static final ArchRule SCHEMAS_KNOW_NO_OTHER_MODULE = noClasses().that().resideInAPackage(SCHEMAS).should()
            .dependOnClassesThat().resideInAnyPackage(GATEWAY, PROCESSORS, QUERY, DEPLOY)
            .because("everything is written in terms of schemas").allowEmptyShould(true);

    @ArchTest
    static final ArchRule GATEWAY_KNOWS_ONLY_SCHEMAS = noClasses().that().resideInAPackage(GATEWAY).should()
            .dependOnClassesThat().resideInAnyPackage(PROCESSORS, QUERY, DEPLOY)
            .because("a gateway is stateless and is released without the nodes").allowEmptyShould(true);

    @ArchTest
    static final ArchRule PROCESSORS_KNOW_ONLY_SCHEMAS = noClasses().that().resideInAPackage(PROCESSORS).should()
            .dependOnClassesThat().resideInAnyPackage(GATEWAY, QUERY, DEPLOY)
            .because("processors take their input from the log, whoever wrote it").allowEmptyShould(true);

    @ArchTest
    static final ArchRule QUERY_KNOWS_SCHEMAS_AND_PROCESSORS = noClasses().that().resideInAPackage(QUERY).should()
            .dependOnClassesThat().resideInAnyPackage(GATEWAY, DEPLOY)
            .because("a node runs without a gateway in its process").allowEmptyShould(true);

    // The pure parts.

    @ArchTest
    static final ArchRule CORE_AND_ADMISSION_ARE_PLAIN_JAVA = noClasses().that().resideInAnyPackage(CORE, ADMISSION)
            .should().dependOnClassesThat(not(resideInAnyPackage("java..", "dev.laurel.schemas.key..",
                    "dev.laurel.schemas.command..", "dev.laurel.schemas.effect..", "dev.laurel.schemas.ruleset..",
                    "dev.laurel.schemas.outbox..", "dev.laurel.schemas.wire..", CORE, ADMISSION).or(primitives())))
            .because("state is a fold of the log by pure functions over plain records").allowEmptyShould(true);

    @ArchTest
    static final ArchRule THE_CORE_DOES_NO_IO = noClasses().that().resideInAPackage(CORE).should().dependOnClassesThat()
            .resideInAnyPackage("java.io..", "java.net..", "java.nio.file..", "java.nio.channels..")
            .because("what it decides must be the same in replay").allowEmptyShould(true);

    @ArchTest
    static final ArchRule THE_CORE_HAS_NO_CLOCK_AND_NO_CHANCE = noClasses().that().resideInAPackage(CORE).should()
            .dependOnClassesThat(DescribedPredicate.describe("are clocks or sources of randomness",
                    type -> CLOCKS.contains(type.getName())))
            .orShould().accessTargetWhere(DescribedPredicate.describe("the clock or chance is asked",
                    LayeringTest::asksClockOrChance))
            .because("time and ids arrive with the command").allowEmptyShould(true);

    // Libraries have their places.

    @ArchTest
    static final ArchRule KAFKA_HAS_ITS_PLACES = noClasses()
            .that(resideOutsideOfPackages("..topology..", "..stream..", "..store..", "..publish..", "..reply..",
                    "..locate..",
                    "..read..", "..fault..", "..delivery..", "..replay..", "..topic..", "..serde..", DEPLOY)
                    .and(not(wiring())))
            .should().dependOnClassesThat().resideInAnyPackage("org.apache.kafka..", "org.rocksdb..")
            .because("what can be said without Kafka is tested without Kafka").allowEmptyShould(true);

    @ArchTest
    static final ArchRule JAVALIN_IS_IN_HTTP = noClasses()
            .that(resideOutsideOfPackages("..http..", "dev.laurel.deploy.bench..")).should().dependOnClassesThat()
            .resideInAnyPackage("io.javalin..", "org.eclipse.jetty..", "jakarta.servlet..")
            .because("reads and waits are the same whatever server asks for them").allowEmptyShould(true);

    @ArchTest
    static final ArchRule JACKSON_IS_IN_SERDE_AND_HTTP = noClasses()
            .that(resideOutsideOfPackages("..serde..", "..http..", DEPLOY)).should().dependOnClassesThat()
            .resideInAnyPackage("tools.jackson..", "com.fasterxml.jackson..")
            .because("the JSON form of a record is decided in one place, not by annotations all over")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule ROUTES_REACH_USERS_THROUGH_THEIR_CALLER = noClasses()
            .that(resideInAnyPackage("..http..").and(not(resideInAPackage("dev.laurel.schemas.http")))).should()
            .callConstructor(UserKey.class, TenantId.class, UserId.class).orShould()
            .callMethod(UserKey.class, "of", String.class).orShould().accessField(TenantId.class, "NONE")
            .because("what a key may reach is decided in one place, the Caller").allowEmptyShould(true);

    // Manners.

    @ArchTest
    static final ArchRule ONLY_THE_COMMAND_LINE_PRINTS = noClasses().that().resideOutsideOfPackage(DEPLOY).should()
            .accessField(System.class, "out").orShould().accessField(System.class, "err")
            .because("a service logs").allowEmptyShould(true);

    @ArchTest
    static final ArchRule NAMES_SAY_SOMETHING = noClasses().should()
            .haveNameMatching("dev[.]laurel[.](\\w+[.])*(\\w+[$])*(" + EMPTY_WORD.pattern() + ")")
            .because("util, helper, manager and data name nothing of the product");

    /** Were the modules not on the path, every rule above would hold for want of classes. */
    @ArchTest
    static void shouldSeeTheModules(JavaClasses classes) {
        Assertions.assertTrue(classes.contain("dev.laurel.schemas.command.Command"), "schemas is not on the path");
        for (JavaClass type : classes) {
            String name = type.getPackageName();
            Assertions.assertTrue(name.startsWith("dev.laurel.deploy") || ROOTS.stream().anyMatch(name::startsWith),
                    () -> type.getName() + " is in none of the packages that these rules are about");
        }
    }

    private static boolean asksClockOrChance(JavaAccess<?> access) {
        String target = access.getTargetOwner().getName() + "." + access.getTarget().getName();
        return NOW.contains(target) || TIME_NOW.matcher(target).matches() && isWithoutClock(access);
    }

    /** {@code Instant.now()}; with a {@code Clock} as argument the rule about clocks speaks already. */
    private static boolean isWithoutClock(JavaAccess<?> access) {
        return access.getTarget() instanceof CodeUnitAccessTarget call
                && call.getRawParameterTypes().stream().noneMatch(type -> type.getName().equals("java.time.Clock"));
    }

    private static DescribedPredicate<JavaClass> wiring() {
        return DescribedPredicate.describe("wire a module", type -> ROOTS.contains(type.getPackageName()));
    }

    /** Primitive types and their arrays are in no package at all. */
    private static DescribedPredicate<JavaClass> primitives() {
        return DescribedPredicate.describe("are primitive",
                type -> type.getBaseComponentType().isPrimitive() || !type.getBaseComponentType().equals(type)
                        && resideInAnyPackage("java..", "dev.laurel..").test(type.getBaseComponentType()));
    }
}
