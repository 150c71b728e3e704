package dev.laurel.deploy;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/**
 * The layering of the code as a failing build: which module and package may use which, and what stays out of the pure core. It
 * reads the byte code of every module, without the tests. A rule about a package without classes holds;
 * {@link #shouldSeeTheModules} makes sure that none does so because of a misspelt name.
 */
@AnalyzeClasses(
        packages = "dev.laurel",
        importOptions = {ImportOption.DoNotIncludeTests.class, LayeringTest.DoNotIncludeSharedTests.class})
class LayeringTest {

    private static final String DEPLOY = "dev.laurel.deploy..";
    private static final String CORE = "dev.laurel.core..";
    private static final String ADMISSION = "dev.laurel.gateway.admission..";

    private static final Set<String> CLOCKS = Set.of(
            "java.time.Clock",
            "java.util.Random",
            "java.security.SecureRandom",
            "java.util.SplittableRandom",
            "java.util.concurrent.ThreadLocalRandom");
    private static final Set<String> NOW = Set.of(
            "java.lang.System.currentTimeMillis",
            "java.lang.System.nanoTime",
            "java.util.UUID.randomUUID",
            "java.lang.Math.random");
    private static final Pattern TIME_NOW = Pattern.compile("java[.]time[.]\\w+[.]now");
    private static final Pattern EMPTY_WORD = Pattern.compile("\\w*(Util|Helper|Manager)\\w*|\\w*Data");

    /** Leaves out the tests of another module, which are in a jar once it is packaged. */
    static final class DoNotIncludeSharedTests implements ImportOption {

        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }

    // Modules and libraries.

    /** The modules that each module may use, by their root packages. */
    private static final Map<String, Set<String>> MODULES = Map.ofEntries(
            entry("schemas", Set.of()),
            entry("core", Set.of("schemas")),
            entry("producer", Set.of()),
            entry("platform", Set.of("schemas")),
            entry("gateway", Set.of("schemas", "platform")),
            entry("processors", Set.of("schemas", "core", "platform")),
            entry("delivery", Set.of("schemas", "core", "platform", "processors")),
            entry("query", Set.of("schemas", "core", "platform", "processors", "delivery")),
            entry("console", Set.of("schemas", "platform")),
            entry("warehouse", Set.of("schemas", "core", "platform", "processors")),
            entry(
                    "deploy",
                    Set.of(
                            "schemas",
                            "core",
                            "platform",
                            "gateway",
                            "processors",
                            "delivery",
                            "query",
                            "console",
                            "warehouse")));

    /** The libraries that every package may use. */
    private static final Set<String> EVERYWHERE = Set.of("java", "org.jspecify");

    /** The libraries that packages may use besides, by the longest entry that the name of the package begins with. */
    private static final Map<String, Set<String>> LIBRARIES = Map.ofEntries(
            entry("dev.laurel.schemas", Set.of()),
            entry("dev.laurel.producer", Set.of("org.apache.kafka")),
            entry("dev.laurel.schemas.access", Set.of("javax.crypto")),
            entry(
                    "dev.laurel.schemas.serde",
                    Set.of("tools.jackson", "com.fasterxml.jackson", "org.apache.kafka.common")),
            entry("dev.laurel.schemas.template", Set.of("com.samskivert.mustache")),
            entry("dev.laurel.schemas.topic", Set.of("org.apache.kafka.common")),
            entry(
                    "dev.laurel.platform.http",
                    Set.of(
                            "io.javalin",
                            "jakarta.servlet",
                            "org.eclipse.jetty",
                            "nl.altindag.ssl",
                            "javax.net.ssl",
                            "io.github.bucket4j",
                            "io.micrometer",
                            "tools.jackson",
                            "org.slf4j",
                            "kotlin")),
            entry(
                    "dev.laurel.platform.kafka",
                    Set.of(
                            "org.apache.kafka",
                            "org.rocksdb",
                            "com.github.benmanes.caffeine",
                            "com.github.luben.zstd",
                            "io.micrometer",
                            "org.slf4j")),
            entry("dev.laurel.platform.access", Set.of("io.micrometer")),
            entry("dev.laurel.platform.client", Set.of("nl.altindag.ssl", "javax.net.ssl")),
            entry("dev.laurel.platform.link", Set.of("io.javalin", "jakarta.servlet", "io.github.bucket4j", "kotlin")),
            entry("dev.laurel.platform.metrics", Set.of("io.micrometer", "io.prometheus")),
            entry(
                    "dev.laurel.platform.session",
                    Set.of(
                            "io.javalin",
                            "jakarta.servlet",
                            "io.github.bucket4j",
                            "com.nimbusds",
                            "org.slf4j",
                            "kotlin")),
            entry("dev.laurel.platform.trace", Set.of("org.apache.kafka.common")),
            entry("dev.laurel.warehouse", Set.of("org.apache.kafka.common", "org.apache.kafka.connect")),
            entry(
                    "dev.laurel.warehouse.sync",
                    Set.of(
                            "org.apache.kafka",
                            "org.postgresql",
                            "org.duckdb",
                            "com.sun.net.httpserver",
                            "io.micrometer",
                            "org.slf4j")),
            entry("dev.laurel.console", Set.of("io.javalin", "tools.jackson", "kotlin")),
            entry("dev.laurel.gateway", Set.of("org.apache.kafka", "io.micrometer", "org.slf4j")),
            entry("dev.laurel.gateway.admission", Set.of()),
            entry("dev.laurel.gateway.http", Set.of("io.javalin", "org.slf4j", "kotlin")),
            entry("dev.laurel.processors", Set.of("org.apache.kafka", "io.micrometer", "org.slf4j")),
            entry(
                    "dev.laurel.processors.stream",
                    Set.of("org.apache.kafka", "com.github.benmanes.caffeine", "org.slf4j")),
            entry("dev.laurel.core", Set.of()),
            entry("dev.laurel.delivery.email", Set.of("jakarta.mail", "org.eclipse.angus", "org.jsoup", "org.slf4j")),
            entry("dev.laurel.delivery.guard", Set.of("javax.net")),
            entry("dev.laurel.delivery.message", Set.of("org.apache.kafka", "org.jsoup", "org.slf4j")),
            entry(
                    "dev.laurel.delivery.push",
                    Set.of(
                            "com.eatthepath.pushy",
                            "io.netty",
                            "com.github.benmanes.caffeine",
                            "com.nimbusds",
                            "javax.net.ssl",
                            "tools.jackson",
                            "org.slf4j")),
            entry(
                    "dev.laurel.delivery.webhook",
                    Set.of("okhttp3", "okio", "kotlin", "javax.net", "org.apache.kafka", "org.slf4j")),
            entry(
                    "dev.laurel.processors.store",
                    Set.of("org.apache.kafka", "org.rocksdb", "com.google.protobuf", "io.micrometer", "org.slf4j")),
            entry("dev.laurel.delivery", Set.of("org.apache.kafka", "io.micrometer", "org.slf4j")),
            entry("dev.laurel.delivery.store", Set.of("org.apache.kafka")),
            entry("dev.laurel.query", Set.of("org.apache.kafka", "io.micrometer", "org.slf4j")),
            entry(
                    "dev.laurel.query.analytics",
                    Set.of("org.apache.commons.statistics", "org.apache.kafka", "tools.jackson")),
            entry(
                    "dev.laurel.query.http",
                    Set.of(
                            "io.javalin",
                            "jakarta.servlet",
                            "tools.jackson",
                            "org.apache.commons.csv",
                            "org.slf4j",
                            "kotlin")),
            entry("dev.laurel.query.locate", Set.of("com.github.benmanes.caffeine", "org.apache.kafka")),
            entry("dev.laurel.query.peer", Set.of("io.micrometer", "javax.net.ssl", "tools.jackson", "org.slf4j")),
            entry(
                    "dev.laurel.query.read",
                    Set.of("org.apache.kafka", "tools.jackson", "com.fasterxml.jackson.annotation", "org.slf4j")));

    /** The program may use every library, because it wires all parts of the services. */
    private static final String PROGRAM = "dev.laurel.deploy";

    @ArchTest
    static final ArchRule PACKAGES_ARE_FREE_OF_CYCLES = slices().matching("dev.laurel.(**)")
            .should()
            .beFreeOfCycles()
            .because("a package can be read, and tested, once those below it are known");

    @ArchTest
    static final ArchRule MODULES_USE_WHAT_THEY_MAY =
            classes().should(onlyUse("the modules and libraries that their package may use", LayeringTest::mayUse));

    private static boolean mayUse(String from, String to) {
        if (to.isEmpty() || from.equals(to)) {
            return true;
        }
        if (to.startsWith("dev.laurel.")) {
            return moduleOf(from).equals(moduleOf(to))
                    || MODULES.get(moduleOf(from)).contains(moduleOf(to));
        }
        String place = LIBRARIES.keySet().stream()
                .filter(prefix -> isIn(from, prefix))
                .max(Comparator.comparingInt(String::length))
                .orElse("");
        return isIn(from, PROGRAM)
                || Stream.concat(EVERYWHERE.stream(), LIBRARIES.getOrDefault(place, Set.of()).stream())
                        .anyMatch(library -> isIn(to, library));
    }

    private static String moduleOf(String name) {
        return name.split("[.]", 4)[2];
    }

    private static boolean isIn(String name, String prefix) {
        return name.equals(prefix) || name.startsWith(prefix + ".");
    }

    private static ArchCondition<JavaClass> onlyUse(String what, BiPredicate<String, String> mayUse) {
        return new ArchCondition<>("only use " + what) {

            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    String to =
                            dependency.getTargetClass().getBaseComponentType().getPackageName();
                    if (!mayUse.test(type.getPackageName(), to)) {
                        events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
                    }
                }
            }
        };
    }

    /** Who makes consumers and admin clients of Kafka. Others ask {@code KafkaClients}, or read by a follower or a range reader. */
    private static final Set<String> CLIENT_MAKERS =
            Set.of("dev.laurel.platform.kafka.KafkaClients", "dev.laurel.platform.kafka.LocalFirstConsumer");

    @ArchTest
    static final ArchRule CLIENTS_ARE_MADE_IN_ONE_PLACE = noClasses()
            .that(DescribedPredicate.describe("are not listed", type -> !CLIENT_MAKERS.contains(type.getName())))
            .should()
            .accessTargetWhere(DescribedPredicate.describe(
                    "a client of Kafka is made",
                    access -> Set.of(
                                    "org.apache.kafka.clients.consumer.KafkaConsumer.<init>",
                                    "org.apache.kafka.clients.admin.Admin.create",
                                    "org.apache.kafka.clients.admin.AdminClient.create")
                            .contains(access.getTargetOwner().getName() + "."
                                    + access.getTarget().getName())))
            .because("each further reader of topics needs the same rules, settings and limits");

    // The pure parts.

    @ArchTest
    static final ArchRule CORE_AND_ADMISSION_ARE_PLAIN_JAVA = noClasses()
            .that()
            .resideInAnyPackage(CORE, ADMISSION)
            .should()
            .dependOnClassesThat(not(resideInAnyPackage(
                            "java..",
                            "org.jspecify.annotations",
                            "dev.laurel.schemas.key..",
                            "dev.laurel.schemas.input..",
                            "dev.laurel.schemas.command..",
                            "dev.laurel.schemas.effect..",
                            "dev.laurel.schemas.ruleset..",
                            "dev.laurel.schemas.outbox..",
                            "dev.laurel.schemas.wire..",
                            "dev.laurel.schemas.kind..",
                            CORE,
                            ADMISSION)
                    .or(primitives())))
            .because("state is a fold of the log by pure functions over plain records")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule THE_CORE_DOES_NO_IO = noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.io..", "java.net..", "java.nio.file..", "java.nio.channels..")
            .because("what it decides must be the same in replay")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule THE_CORE_HAS_NO_CLOCK_AND_NO_CHANCE = noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .dependOnClassesThat(DescribedPredicate.describe(
                    "are clocks or sources of randomness", type -> CLOCKS.contains(type.getName())))
            .orShould()
            .accessTargetWhere(
                    DescribedPredicate.describe("the clock or chance is asked", LayeringTest::asksClockOrChance))
            .because("time and ids arrive with the command")
            .allowEmptyShould(true);

    // Users are reached through their caller.

    @ArchTest
    static final ArchRule ROUTES_REACH_USERS_THROUGH_THEIR_CALLER = noClasses()
            .that(resideInAnyPackage("..http..").and(not(resideInAPackage("dev.laurel.platform.http"))))
            .should()
            .callConstructor(UserKey.class, TenantId.class, UserId.class)
            .orShould()
            .callMethod(UserKey.class, "of", String.class)
            .orShould()
            .accessField(TenantId.class, "NONE")
            .because("what a key may reach is decided in one place, the Caller")
            .allowEmptyShould(true);

    // Style.

    @ArchTest
    static final ArchRule ONLY_THE_COMMAND_LINE_PRINTS = noClasses()
            .that()
            .resideOutsideOfPackage(DEPLOY)
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err")
            .because("a service logs")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule NAMES_SAY_SOMETHING = noClasses()
            .should()
            .haveNameMatching("dev[.]laurel[.](\\w+[.])*(\\w+[$])*(" + EMPTY_WORD.pattern() + ")")
            .because("util, helper, manager and data name nothing of the product");

    /** Without the modules on the path, every rule above would hold, because there would be no classes. */
    @ArchTest
    static void shouldSeeTheModules(JavaClasses classes) {
        Assertions.assertTrue(classes.contain("dev.laurel.schemas.command.Command"), "schemas is not on the path");
        Assertions.assertTrue(classes.contain("dev.laurel.platform.http.HttpServer"), "platform is not on the path");
        for (JavaClass type : classes) {
            String name = type.getPackageName();
            Assertions.assertTrue(
                    MODULES.containsKey(moduleOf(name)),
                    () -> type.getName() + " is in none of the packages that these rules are about");
        }
    }

    private static boolean asksClockOrChance(JavaAccess<?> access) {
        String target =
                access.getTargetOwner().getName() + "." + access.getTarget().getName();
        return NOW.contains(target) || TIME_NOW.matcher(target).matches() && isWithoutClock(access);
    }

    /** {@code Instant.now()}; calls with a {@code Clock} as argument violate the rule about clocks already. */
    private static boolean isWithoutClock(JavaAccess<?> access) {
        return access.getTarget() instanceof CodeUnitAccessTarget call
                && call.getRawParameterTypes().stream()
                        .noneMatch(type -> type.getName().equals("java.time.Clock"));
    }

    /** Primitive types and their arrays are in no package at all. */
    private static DescribedPredicate<JavaClass> primitives() {
        return DescribedPredicate.describe(
                "are primitive",
                type -> type.getBaseComponentType().isPrimitive()
                        || !type.getBaseComponentType().equals(type)
                                && resideInAnyPackage("java..", "dev.laurel..").test(type.getBaseComponentType()));
    }
}
