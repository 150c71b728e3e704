package dev.laurel.schemas.kind;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Makes and reads records by the names of their components. Thread-safe. */
public final class Records {

    /** The canonical constructor of a record and what it takes. */
    private record Shape(Constructor<?> constructor, RecordComponent[] components) {}

    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            try {
                return new Shape(type.getDeclaredConstructor(types), components);
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException("every record has a canonical constructor: " + type, e);
            }
        }
    };

    private Records() {}

    /**
     * The same record with other values of some components.
     *
     * @param namesAndValues names of components and their values in turn
     */
    public static <T> T with(T from, Object... namesAndValues) {
        Shape shape = SHAPES.get(from.getClass());
        var values = new HashMap<String, Object>();
        for (RecordComponent component : shape.components()) {
            values.put(component.getName(), read(component, from));
        }
        for (int i = 0; i < namesAndValues.length; i += 2) {
            if (!values.containsKey((String) namesAndValues[i])) {
                throw new IllegalArgumentException(from.getClass() + " has no component " + namesAndValues[i]);
            }
            values.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        @SuppressWarnings("unchecked")
        T changed = (T) make(shape, Arrays.stream(shape.components()).map(c -> values.get(c.getName())).toArray());
        return changed;
    }

    /**
     * The value of a component.
     *
     * @param path names of components with dots
     * @return null if there is none, or one on the way is null
     */
    public static Object get(Object from, String path) {
        Object value = from;
        for (String name : path.split("\\.")) {
            value = value == null ? null : component(value, name);
        }
        return value;
    }

    private static Object component(Object from, String name) {
        for (RecordComponent component : SHAPES.get(from.getClass()).components()) {
            if (component.getName().equals(name)) {
                return read(component, from);
            }
        }
        return null;
    }

    private static Object read(RecordComponent component, Object from) {
        try {
            return component.getAccessor().invoke(from);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("cannot read " + component, e);
        }
    }

    /**
     * A record of these values. One for a component that is a record in turn is under the names of both with a dot; where the
     * component is an interface, the class of that record is under its own name.
     *
     * @param prefix of the names of its components, with a dot at the end unless it is empty
     */
    static <T> T make(Class<T> type, String prefix, Map<String, Object> values) {
        Shape shape = SHAPES.get(type);
        var arguments = new Object[shape.components().length];
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

    private static boolean holdsSome(Map<String, Object> values, String prefix) {
        return values.entrySet().stream().anyMatch(e -> e.getKey().startsWith(prefix) && e.getValue() != null);
    }

    private static Object zero(Class<?> type) {
        return type == boolean.class ? (Object) false : type == long.class ? (Object) 0L : (Object) 0;
    }

    private static Object make(Shape shape, Object[] arguments) {
        try {
            return shape.constructor().newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new IllegalStateException("cannot make " + shape + " of " + Arrays.toString(arguments), e);
        }
    }
}
