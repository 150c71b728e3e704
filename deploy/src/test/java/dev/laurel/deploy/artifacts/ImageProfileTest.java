package dev.laurel.deploy.artifacts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.LaurelMain;
import dev.laurel.deploy.artifacts.ComposeFile.Service;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class ImageProfileTest {

    /** Flags of the script that do not apply to a container. */
    private static final Set<String> OF_THE_SCRIPT_ONLY = Set.of("-Xlog:aot*=off", "-Xms64m", "-Xmx$HEAP_MAX");

    private final ImageProfile profile = ImageProfile.read();

    @Test
    void shouldStartTheJvmLikeTheScript() {
        String script = DeployFiles.text("laurel");
        String call = script.substring(script.indexOf("exec \"$java_home/bin/java\""), script.indexOf("-cp \"$(echo"));
        Set<String> flags = new TreeSet<>();
        var flag = Pattern.compile("(?<=\\s|\")-[-\\w][^\\s\"]*").matcher(call);
        while (flag.find()) {
            flags.add(flag.group());
        }
        assertTrue(flags.removeAll(OF_THE_SCRIPT_ONLY), flags.toString());

        assertEquals(flags, new TreeSet<>(profile.jvmFlags()));
    }

    @Test
    void shouldStartTheProgram() {
        assertEquals(LaurelMain.class.getName(), profile.mainClass());
    }

    @Test
    void shouldRunAsANumericUserThatIsNotRoot() {
        assertTrue(profile.user().matches("[1-9]\\d{3,}:[1-9]\\d{3,}"), profile.user());
        ComposeFile.read().services().stream()
                .filter(Service::isLaurel)
                .forEach(service ->
                        assertEquals(profile.user(), service.json().path("user").asString(), service.name()));
    }

    @Test
    void shouldWriteOnlyToVolumes() {
        assertEquals(List.of("/data", "/tmp"), profile.volumes());
    }
}
