package dev.laurel.schemas.admin;

import java.util.List;
import java.util.UUID;

/**
 * A request to change who may call. Ids and the hashes of new keys come with it from the gateway that made the keys: the keys
 * themselves are never in Kafka. {@link AccessEditor} says what becomes of it.
 */
public sealed interface AccessEdit extends Edit {

    /** An edit that concerns the whole instance, not one tenant. */
    sealed interface OfInstance extends AccessEdit {}

    /** @param hash of the whole key; @param fields as the client sent them: anything that is no object becomes an issue */
    record NewKey(UUID id, String prefix, String hash, Object fields) {}

    record CreateAdminKeys(List<NewKey> items) implements OfInstance {}

    /** Each item names its key by {@code id}. */
    record UpdateAdminKeys(List<Object> items) implements OfInstance {}

    /** Gives a key a new prefix and secret. */
    record RotateAdminKey(UUID id, String prefix, String hash) implements OfInstance {}

    /** @param ids as they were given */
    record DeleteAdminKeys(List<String> ids) implements OfInstance {}

    /** Makes the key that a process was started with an admin key, unless it has been known before. */
    record RegisterStartKey(String prefix, String hash) implements OfInstance {}

    /** Of users of the tenant that the edit is for. */
    record CreateApplicationKeys(List<NewKey> items) implements AccessEdit {}

    /** Of the tenant that the edit is for. @param ids as they were given */
    record DeleteApplicationKeys(List<String> ids) implements AccessEdit {}

    record CreateTenants(List<NewItem> items) implements OfInstance {}

    /** Each item names its tenant by {@code id}. */
    record UpdateTenants(List<Object> items) implements OfInstance {}

    /** Archives them. @param ids as they were given */
    record DeleteTenants(List<String> ids) implements OfInstance {}

    record SetMultiTenancy(boolean enabled) implements OfInstance {}
}
