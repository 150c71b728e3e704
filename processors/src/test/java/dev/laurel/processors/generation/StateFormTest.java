package dev.laurel.processors.generation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.processors.store.Codec;
import dev.laurel.schemas.topic.GenerationRecord;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StateFormTest {

    private static final GenerationRecord WRITTEN_BY_0_1 = GenerationRecord.FIRST;

    /** The stored values of the present form with their versions. */
    private static final String FORM_2 = """
        active days 1
        application key 2
        block of counters 2
        board message 4
        collected scores 1
        count 2
        day 2
        day end 2
        event id 1
        floor of top users 1
        group 2
        leaderboard run 3
        ledger page 3
        list of attribute values 1
        list of participants 2
        list of versions 2
        part of a team's score 1
        participant 3
        place 3
        position in the log 1
        run 1
        score of a team 1
        streak block 1
        sweep 2
        user 9
        """;

    @Test
    void shouldFoldTheLogAnewIfAnEarlierReleaseHasWrittenTheStores() {
        assertEquals(StateForm.EARLIER, StateForm.of(WRITTEN_BY_0_1, true));
        assertEquals(StateForm.EARLIER, StateForm.of(WRITTEN_BY_0_1.inForm(StateForm.NUMBER - 1), true));
    }

    @Test
    void shouldContinueStoresOfThePresentForm() {
        assertEquals(StateForm.PRESENT, StateForm.of(WRITTEN_BY_0_1.inForm(StateForm.NUMBER), true));
        assertEquals(StateForm.PRESENT, StateForm.of(WRITTEN_BY_0_1.inForm(StateForm.NUMBER), false));
    }

    @Test
    void shouldFoldNothingAnewWithoutStores() {
        assertEquals(StateForm.NONE, StateForm.of(WRITTEN_BY_0_1, false));
        assertEquals(StateForm.NONE, StateForm.of(WRITTEN_BY_0_1.inForm(StateForm.NUMBER - 1), false));
    }

    @Test
    void shouldRefuseStoresOfALaterRelease() {
        assertEquals(StateForm.LATER, StateForm.of(WRITTEN_BY_0_1.inForm(StateForm.NUMBER + 1), true));
        assertEquals(StateForm.LATER, StateForm.of(WRITTEN_BY_0_1.inForm(StateForm.NUMBER + 1), false));
    }

    /**
     * Fails if a stored value has another version. If this release still reads the version that the release before has written, change
     * the list. Otherwise increase {@link StateForm#NUMBER}, too: every instance then folds its log anew at the next start.
     */
    @Test
    void shouldHaveAnotherNumberIfStoredValuesCannotBeRead() throws Exception {
        var versions = new TreeSet<String>();
        for (Class<?> type : storeClasses()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getType() == Codec.class && Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    var codec = (Codec<?>) field.get(null);
                    versions.add(codec.name() + " " + codec.version());
                }
            }
        }

        assertEquals("form 2:\n" + FORM_2, "form " + StateForm.NUMBER + ":\n" + String.join("\n", versions) + "\n");
    }

    private static List<Class<?>> storeClasses() throws IOException, URISyntaxException, ClassNotFoundException {
        Path root = Path.of(
                Codec.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> files =
                Files.walk(root.resolve(Codec.class.getPackageName().replace('.', '/')))) {
            List<String> names = files.map(file -> root.relativize(file).toString())
                    .filter(name -> name.endsWith(".class") && !name.endsWith("package-info.class"))
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .toList();
            var classes = new ArrayList<Class<?>>();
            for (String name : names) {
                classes.add(Class.forName(name));
            }
            return classes;
        }
    }
}
