package dev.laurel.deploy.tracing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.tracing.TracingOptions.TracingSettings;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.trace.Tracing;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class TracingOptionsTest {

    private static TracingOptions options(String... arguments) {
        var options = new TracingOptions();
        new CommandLine(CommandLine.Model.CommandSpec.create()
                        .addMixin("tracing", CommandLine.Model.CommandSpec.forAnnotatedObject(options)))
                .parseArgs(arguments);
        return options;
    }

    @Test
    void shouldNotTraceWithoutAnEndpoint() {
        assertSame(Tracing.NONE, options().start("laurel-test"));
        assertEquals(
                new TracingSettings(URI.create("http://127.0.0.1:4318"), 0.01),
                options("--otlp-endpoint", "http://127.0.0.1:4318").settings());
    }

    @ParameterizedTest
    @CsvSource({
        "http://c:4318,http://c:4318/v1/traces",
        "https://c/otlp/,https://c/otlp/v1/traces",
        "http://c:4318/v1/traces,http://c:4318/v1/traces"
    })
    void shouldUseTheEndpointAsTheBaseOfTheTracesUrl(URI endpoint, String url) {
        assertEquals(url, new TracingSettings(endpoint, 1).tracesUrl());
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:4317", "grpc://c:4317", "not a url", "http://"})
    void shouldRefuseAnInvalidEndpoint(String endpoint) {
        var failed = assertThrows(
                CommandFailed.class, () -> options("--otlp-endpoint", endpoint).settings());
        assertTrue(failed.getMessage().startsWith("--otlp-endpoint"), failed.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-0.1", "1.1", "NaN"})
    void shouldRefuseAnInvalidRatio(String ratio) {
        assertThrows(
                CommandFailed.class,
                () -> options("--otlp-endpoint", "http://c:4318", "--trace-ratio", ratio)
                        .settings());
    }
}
