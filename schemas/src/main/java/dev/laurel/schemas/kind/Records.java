package dev.laurel.schemas.kind;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates and reads records by the names of their components. Thread-safe. */
public final class Records {

    /** The canonical constructor of a record, its parameters, and their indexes by name. */
    private record Shape(Constructor<?> constructor, RecordComponent[] components, Map<Object, Integer> indexes) {}

    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            var indexes = new HashMap<Object, Integer>();
            for (int i = 0; i < components.length; i++) {
                indexes.put(components[i].getName(), i);
                components[i].getAccessor().setAccessible(true); // Spares a check at each read.
            }
            try {
                Constructor<?> constructor = type.getDeclaredConstructor(types);
                constructor.setAccessible(true);
                return new Shape(constructor, components, indexes);
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException("every record has a canonical constructor: " + type, e);
            }
        }
    };

    private Records() {}

    /** Copies a record with other values of some components. @param namesAndValues names and values in turn */
    public static <T> T with(T from, @Nullable Object... namesAndValues) {
        Shape shape = SHAPES.get(from.getClass());
        var values = new @Nullable Object[shape.components().length];
        for (int i = 0; i < values.length; i++) {
            values[i] = read(shape.components()[i], from);
        }
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Integer index = shape.indexes().get(namesAndValues[i]);
            if (index == null) {
                throw new IllegalArgumentException(from.getClass() + " has no component " + namesAndValues[i]);
            }
            values[index] = namesAndValues[i + 1];
        }
        @SuppressWarnings("unchecked")
        T changed = (T) make(shape, values);
        return changed;
    }

    /**
     * The value of a component.
     *
     * @param path names of nested components, separated by dots
     * @return null if there is no such component, or if one on the path is null
     */
    public static @Nullable Object get(Object from, String path) {
        @Nullable Object value = from;
        for (String name : path.split("\\.")) {
            value = value == null ? null : component(value, name);
        }
        return value;
    }

    private static @Nullable Object component(Object from, String name) {
        Shape shape = SHAPES.get(from.getClass());
        Integer index = shape.indexes().get(name);
        return index == null ? null : read(shape.components()[index], from);
    }

    public static @Nullable Object read(RecordComponent component, Object from) {
        try {
            return component.getAccessor().invoke(from);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("cannot read " + component, e);
        }
    }

    /**
     * Creates a record. Values of nested records are under the names of both components with a dot between them; if a
     * component is an interface, the class of its record is under the name of the component.
     *
     * @param prefix prefix of the names of the components, empty or ending in a dot
     */
    static <T> T make(Class<T> type, String prefix, Map<String, ? extends @Nullable Object> values) {
        Shape shape = SHAPES.get(type);
        var arguments = new @Nullable Object[shape.components().length];
        for (int i = 0; i < arguments.length; i++) {
            RecordComponent component = shape.components()[i];
            String name = prefix + component.getName();
            Object value = values.get(name);
            if (value instanceof Class<?> variant) {
                value = make(variant, name + ".", values);
            } else if (value == null && component.getType().isRecord() && holdsSome(values, name + ".")) {
                value = make(component.getType(), name + ".", values);
            }
            arguments[i] = value == null && component.getType().isPrimitive() ? zero(component.getType()) : value;
        }
        return type.cast(make(shape, arguments));
    }

    /** Creates a record of the values of its components. */
    public static <T> T make(Class<T> type, @Nullable Object[] values) {
        return type.cast(make(SHAPES.get(type), values));
    }

    /** A copy of a list that older documents lack; empty in place of null. */
    public static <T> List<T> listOf(@Nullable List<T> given) {
        return given == null ? List.of() : List.copyOf(given);
    }

    private static boolean holdsSome(Map<String, ? extends @Nullable Object> values, String prefix) {
        return values.entrySet().stream().anyMatch(e -> e.getKey().startsWith(prefix) && e.getValue() != null);
    }

    private static Object zero(Class<?> type) {
        return type == boolean.class ? (Object) false : type == long.class ? (Object) 0L : (Object) 0;
    }

    private static Object make(Shape shape, @Nullable Object[] arguments) {
        try {
            return shape.constructor().newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new IllegalStateException("cannot make " + shape + " of " + Arrays.toString(arguments), e);
        }
    }
}
