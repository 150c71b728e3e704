package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.store.Codec.FieldReader;
import dev.laurel.processors.store.Codec.FieldWriter;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of values of a type, which follow from the type, so that a stored field is named nowhere but in its record. They are durable
 * data: the order of components, of constants and of permitted types cannot change without a new version of each codec that has them.
 *
 * <pre>
 * record                  its components in their order
 * sealed interface        the number of the permitted type from 0, then its form
 * nullable component      whether it is present, then its form
 * enum                    the ordinal
 * List, Set, long[]       the number of elements, then each
 * Map                     the number of entries, then the key and the value of each
 * int, long, Instant      a zigzag varint; an Instant in milliseconds, a LocalDate in days since 1970
 * BigDecimal, UUID        as {@link BinaryFields} writes them
 * String, byte[], Bytes   the number of bytes, then the bytes
 * </pre>
 *
 * <p>Elements of sets and entries of maps are written as they come. So a stored record puts them in one order when it is made, or else
 * equal records would have different bytes.
 *
 * <p>A form is derived once, and then writes and reads by method handles. Thread-safe.
 */
public record Form<T extends @Nullable Object>(FieldWriter<T> writer, FieldReader<T> reader) {

    private static final MethodHandle WRITE = method(
            FieldWriter.class, "write", MethodType.methodType(void.class, Object.class, CodedOutputStream.class));
    private static final MethodHandle READ =
            method(FieldReader.class, "read", MethodType.methodType(Object.class, CodedInputStream.class));

    private static final Map<Class<?>, Form<?>> SIMPLE = Map.ofEntries(
            simple(Integer.class, (value, out) -> out.writeSInt32NoTag(value), CodedInputStream::readSInt32),
            simple(Long.class, (value, out) -> out.writeSInt64NoTag(value), CodedInputStream::readSInt64),
            simple(Boolean.class, (value, out) -> out.writeBoolNoTag(value), CodedInputStream::readBool),
            simple(String.class, (value, out) -> out.writeStringNoTag(value), CodedInputStream::readString),
            simple(byte[].class, (value, out) -> out.writeByteArrayNoTag(value), CodedInputStream::readByteArray),
            simple(
                    Bytes.class,
                    (value, out) -> out.writeByteArrayNoTag(value.get()),
                    in -> Bytes.wrap(in.readByteArray())),
            simple(UUID.class, BinaryFields::writeId, BinaryFields::readId),
            simple(BigDecimal.class, BinaryFields::writeDecimal, BinaryFields::readDecimal),
            simple(
                    Instant.class,
                    (value, out) -> out.writeSInt64NoTag(value.toEpochMilli()),
                    in -> Instant.ofEpochMilli(in.readSInt64())),
            simple(
                    LocalDate.class,
                    (value, out) -> out.writeSInt64NoTag(value.toEpochDay()),
                    in -> LocalDate.ofEpochDay(in.readSInt64())),
            simple(long[].class, Form::writeNumbers, Form::readNumbers));

    private static MethodHandle method(Class<?> owner, String name, MethodType type) {
        try {
            return MethodHandles.lookup().findVirtual(owner, name, type);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static <T> Map.Entry<Class<?>, Form<?>> simple(
            Class<T> type, FieldWriter<T> writer, FieldReader<T> reader) {
        return Map.entry(type, new Form<>(writer, reader));
    }

    private static void writeNumbers(long[] numbers, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(numbers.length);
        for (long number : numbers) {
            out.writeSInt64NoTag(number);
        }
    }

    private static long[] readNumbers(CodedInputStream in) throws IOException {
        var numbers = new long[BinaryFields.readCount(in)];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = in.readSInt64();
        }
        return numbers;
    }

    /** @throws IllegalArgumentException if values of the type, or of one inside it, have no form */
    @SuppressWarnings("unchecked") // the form of a class writes and reads its objects
    public static <T> Form<T> of(Class<T> type) {
        return (Form<T>) derived(type);
    }

    public static <T> Form<List<T>> list(Form<T> element) {
        return new Form<>(
                (values, out) -> BinaryFields.writeList(values, out, element.writer),
                in -> BinaryFields.readList(in, element.reader));
    }

    private static <T> Form<Set<T>> set(Form<T> element) {
        Form<List<T>> list = list(element);
        return new Form<>(
                (values, out) -> list.writer.write(List.copyOf(values), out),
                in -> new LinkedHashSet<>(list.reader.read(in)));
    }

    private static <K, V> Form<Map<K, V>> map(Form<K> key, Form<V> value) {
        return new Form<>(
                (entries, out) -> {
                    out.writeUInt32NoTag(entries.size());
                    for (var entry : entries.entrySet()) {
                        key.writer.write(entry.getKey(), out);
                        value.writer.write(entry.getValue(), out);
                    }
                },
                in -> {
                    var entries = new LinkedHashMap<K, V>();
                    for (int left = BinaryFields.readCount(in); left > 0; left--) {
                        entries.put(key.reader.read(in), value.reader.read(in));
                    }
                    return entries;
                });
    }

    private static Form<?> derived(Type type) {
        return switch (type) {
            case ParameterizedType of -> {
                List<? extends Form<?>> forms = Stream.of(of.getActualTypeArguments())
                        .map(Form::derived)
                        .toList();
                if (of.getRawType() == Map.class) {
                    yield map(forms.getFirst(), forms.getLast());
                } else if (of.getRawType() == Set.class) {
                    yield set(forms.getFirst());
                } else if (of.getRawType() == List.class) {
                    yield list(forms.getFirst());
                }
                throw noForm(type);
            }
            case Class<?> primitive
            when primitive.isPrimitive() ->
                derived(MethodType.methodType(primitive).wrap().returnType());
            case Class<?> simple when SIMPLE.containsKey(simple) -> SIMPLE.get(simple);
            case Class<?> constants when constants.isEnum() -> ofConstants(constants.getEnumConstants());
            case Class<?> record when record.isRecord() -> ofRecord(record);
            case Class<?> sealed when sealed.isSealed() -> ofSealed(sealed);
            default -> throw noForm(type);
        };
    }

    private static IllegalArgumentException noForm(Type type) {
        return new IllegalArgumentException("values of " + type.getTypeName() + " have no stored form");
    }

    private static Form<?> derived(AnnotatedType type) {
        Form<?> form = derived(type.getType());
        return type.isAnnotationPresent(Nullable.class) ? optional(form) : form;
    }

    private static <T> Form<@Nullable T> optional(Form<T> present) {
        return new Form<>(
                (value, out) -> BinaryFields.writeOptional(value, out, present.writer),
                in -> BinaryFields.readOptional(in, present.reader));
    }

    private static Form<?> ofConstants(Object[] constants) {
        return new Form<>(
                (constant, out) -> out.writeUInt32NoTag(((Enum<?>) constant).ordinal()),
                in -> BinaryFields.readConstant(constants, in));
    }

    private static Form<Object> ofSealed(Class<?> type) {
        List<Class<?>> types = List.of(type.getPermittedSubclasses());
        Form<?>[] forms = types.stream().map(Form::of).toArray(Form<?>[]::new);
        return new Form<>(
                (value, out) -> {
                    int number = types.indexOf(value.getClass());
                    out.writeUInt32NoTag(number);
                    forms[number].writeUnchecked(value, out);
                },
                in -> BinaryFields.readConstant(forms, in).reader.read(in));
    }

    @SuppressWarnings("unchecked") // the handles have the types of the objects
    private static Form<Object> ofRecord(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Form<?>[] forms = Stream.of(components)
                .map(RecordComponent::getAnnotatedType)
                .map(Form::derived)
                .toArray(Form<?>[]::new);
        MethodHandle write = MethodHandles.empty(WRITE.type().dropParameterTypes(0, 1));
        MethodHandle[] readers = new MethodHandle[components.length];
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            for (int i = components.length - 1; i >= 0; i--) {
                MethodHandle accessor = lookup.unreflect(components[i].getAccessor());
                write = MethodHandles.foldArguments(
                        write,
                        MethodHandles.filterArguments(
                                WRITE.bindTo(forms[i].writer), 0, accessor.asType(MethodType.genericMethodType(1))));
                readers[i] = READ.bindTo(forms[i].reader)
                        .asType(MethodType.methodType(components[i].getType(), CodedInputStream.class));
            }
            Class<?>[] types =
                    Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            MethodHandle constructor = lookup.findConstructor(type, MethodType.methodType(void.class, types));
            MethodHandle read = MethodHandles.permuteArguments(
                            MethodHandles.filterArguments(constructor, 0, readers),
                            MethodType.methodType(type, CodedInputStream.class),
                            new int[types.length])
                    .asType(READ.type().dropParameterTypes(0, 1));
            return new Form<>(
                    MethodHandleProxies.asInterfaceInstance(FieldWriter.class, write),
                    MethodHandleProxies.asInterfaceInstance(FieldReader.class, read));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type + " is not open to the stores", e);
        }
    }

    @SuppressWarnings("unchecked") // called with values of the type that the form was derived from
    private void writeUnchecked(Object value, CodedOutputStream out) throws IOException {
        writer.write((T) value, out);
    }
}
