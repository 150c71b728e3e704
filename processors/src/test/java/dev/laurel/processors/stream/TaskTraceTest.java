package dev.laurel.processors.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.platform.trace.Tracing;
import dev.laurel.platform.trace.Tracing.Span;
import dev.laurel.processors.stream.PipelineSettings.LocalReplies;
import dev.laurel.schemas.topic.Generation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TaskTraceTest {

    private final List<String> calls = new ArrayList<>();
    private final MockProcessorContext<String, String> context = new MockProcessorContext<>();
    private Processor<String, String, String, String> processor;

    /** Records the calls of its spans. */
    private final Tracing tracing = new Tracing() {

        @Override
        public boolean isOn() {
            return true;
        }

        @Override
        public Span request(String method, String traceparent) {
            return Span.NONE;
        }

        @Override
        public Span sending(String topic) {
            return Span.NONE;
        }

        @Override
        public Span calling(String method, String peer) {
            return Span.NONE;
        }

        @Override
        public <T> Supplier<T> carrying(Supplier<T> task) {
            return task;
        }

        @Override
        public Span processing(String topic, int partition, long offset, String traceparent) {
            calls.add(topic + "-" + partition + "@" + offset + " of " + traceparent);
            return new Span() {

                @Override
                public String traceparent() {
                    return "child of " + traceparent;
                }

                @Override
                public void answered(String route, int status) {
                    calls.add("answered");
                }

                @Override
                public void failed(Throwable cause) {
                    calls.add("failed: " + cause.getMessage());
                }

                @Override
                public void close() {
                    calls.add("closed");
                }
            };
        }
    };

    private static TaskProcessor.Handler<String, String> toBoth(
            ProcessorContext<String, String> context, TaskTrace trace) {
        return record -> {
            if (record.value() == null) {
                throw new IllegalStateException("no value");
            }
            var answer = new Record<>(record.key(), "answer", record.timestamp());
            trace.write(answer.headers());
            context.forward(answer, "replies");
            context.forward(new Record<>(record.key(), "fact", record.timestamp()), "effects");
        };
    }

    @BeforeEach
    void start() {
        processor = new PipelineSettings(
                        Generation.FIRST, OutputWindow.EVERYTHING, false, true, false, tracing, LocalReplies.NONE)
                .supplier(TaskTraceTest::toBoth, Set.of())
                .get();
        processor.init(context);
        context.setRecordMetadata("laurel.commands", 2, 7);
    }

    private void process(String value, String traceparent) {
        var headers = new RecordHeaders();
        if (traceparent != null) {
            headers.add("traceparent", traceparent.getBytes(UTF_8));
        }
        processor.process(new Record<>("ida", value, 1L, headers));
    }

    private List<String> headersTo(String outlet) {
        return context.forwarded(outlet).stream()
                .map(forwarded -> {
                    Header header = forwarded.record().headers().lastHeader("traceparent");
                    return header == null ? "none" : new String(header.value(), UTF_8);
                })
                .toList();
    }

    @Test
    void shouldReturnTheHandlerItselfWithoutTracing() {
        TaskProcessor.Handler<String, String> handler = record -> {};

        assertSame(handler, new TaskTrace().traced(Tracing.NONE, context, handler));
    }

    @Test
    void shouldWriteTheTraceWhereTheHandlerSaysSo() {
        process("laps", "parent");

        assertEquals(List.of("laurel.commands-2@7 of parent", "closed"), calls);
        assertEquals(List.of("child of parent"), headersTo("replies"));
        assertEquals(List.of("none"), headersTo("effects"));
    }

    @Test
    void shouldForwardNoTraceOfARecordWithoutOne() {
        process("laps", "parent");
        process("laps", null);

        assertEquals(2, calls.size());
        assertEquals(List.of("child of parent", "none"), headersTo("replies"));
    }

    @Test
    void shouldEndASpanThatFails() {
        assertThrows(IllegalStateException.class, () -> process(null, "parent"));
        process("laps", null);

        assertEquals(List.of("laurel.commands-2@7 of parent", "failed: no value", "closed"), calls);
        assertEquals(List.of("none"), headersTo("replies"));
    }
}
