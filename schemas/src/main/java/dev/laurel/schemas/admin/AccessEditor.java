package dev.laurel.schemas.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.access.AccessRecord.AdminKey;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.Instance;
import dev.laurel.schemas.access.AccessRecord.KeyStatus;
import dev.laurel.schemas.access.AccessRecord.RevokedKey;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.access.AccessRecord.TenantStatus;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.access.SignedKey;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.edit.Edit.AccessEdit.NewKey;
import dev.laurel.schemas.edit.Edit.EditResult;
import dev.laurel.schemas.edit.Edit.NewItem;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.HeaderText;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.wire.EditBody.CreatedBody;
import dev.laurel.schemas.wire.EditBody.DeletedBody;
import dev.laurel.schemas.wire.EditBody.UpdatedBody;
import dev.laurel.schemas.wire.ErrorBody;
import dev.laurel.schemas.wire.KeyBody.AdminKeyBody;
import dev.laurel.schemas.wire.KeyBody.RotatedKeyBody;
import dev.laurel.schemas.wire.KeyBody.TenantBody;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Applies an {@link AccessEdit} to keys and tenants (docs/admin-api.md A7, A8, B6). The items of a bulk request are applied or
 * refused one by one; later items see earlier ones. Pure: equal arguments give equal results.
 */
final class AccessEditor {

    private static final int MAX_TEXT = 255;
    private static final int MAX_SHOWN = 60;

    /** The most revocations of expired keys that are deleted with each new one. */
    private static final int MAX_EXPIRED = 10;

    private static final String NO_KEY = "Admin key not found by ID";
    private static final String NO_APPLICATION_KEY =
            Refusal.unknownApplicationKey().message();
    private static final String NO_TENANT = "Tenant not found by ID";
    private static final String ONE_TENANT = "This instance has no tenants: multi-tenancy is off.";
    private static final String UNREACHABLE =
            "multiTenancyEnabled: this instance has rules and users without a tenant, which"
                    + " no request could reach then. Name the tenant that they belong to from now on with"
                    + " \"firstTenant\": {\"customerId\": \"…\", \"name\": \"…\"}";
    private static final String START_KEY_NAME = "Start-up key";

    private final AccessIndex current;
    private final PendingAccess draft;
    private final TenantId tenant;
    private final Instant now;
    private final boolean hasData;
    private final BulkItems bulk = new BulkItems();

    /**
     * @param current the present records
     * @param draft gets the changes
     * @param hasData whether there are rules without a tenant
     */
    AccessEditor(AccessIndex current, PendingAccess draft, TenantId tenant, Instant now, boolean hasData) {
        this.current = current;
        this.draft = draft;
        this.tenant = tenant;
        this.now = now;
        this.hasData = hasData;
    }

    EditResult apply(AccessEdit edit) {
        return switch (edit) {
            case AccessEdit.CreateAdminKeys(var items) -> created(items, this::createAdminKey);
            case AccessEdit.UpdateAdminKeys(var items) -> updated(items, this::updateAdminKey);
            case AccessEdit.DeleteAdminKeys(var ids) -> deleted(ids, this::deleteAdminKey);
            case AccessEdit.RotateAdminKey rotate -> rotate(rotate);
            case AccessEdit.RegisterStartKey(String prefix, String hash) -> register(prefix, hash);
            case AccessEdit.DeleteApplicationKeys(var ids) -> deleted(ids, this::deleteApplicationKey);
            case AccessEdit.CreateTenants(var items) when current.isMultiTenant() -> created(items, this::createTenant);
            case AccessEdit.UpdateTenants(var items) when current.isMultiTenant() -> updated(items, this::updateTenant);
            case AccessEdit.DeleteTenants(var ids) when current.isMultiTenant() -> deleted(ids, this::archiveTenant);
            case AccessEdit.CreateTenants _, AccessEdit.UpdateTenants _, AccessEdit.DeleteTenants _ ->
                result(422, new ErrorBody(ONE_TENANT));
            case AccessEdit.SetMultiTenancy(boolean enabled, Object first) -> multiTenancy(enabled, first);
        };
    }

    private EditResult result(int status, Object body) {
        return new EditResult(null, draft.changes(), status, body);
    }

    private <T> EditResult created(List<T> items, BulkItems.Change<T, ?> creation) {
        var body = new CreatedBody(bulk.create(items, creation), bulk.issues);
        return result(body.status(), body);
    }

    private EditResult updated(List<Object> items, BulkItems.Update<?> update) {
        return result(200, new UpdatedBody(bulk.update(items, update), bulk.issues));
    }

    private EditResult deleted(List<String> ids, BulkItems.Change<UUID, ?> deletion) {
        return result(200, new DeletedBody(bulk.delete(ids, deletion), bulk.issues));
    }

    // Admin keys.

    private Object createAdminKey(NewKey item) throws BadInputException {
        RequestFields fields = RequestFields.of(item.fields());
        String name = requiredText(fields, "name");
        Role role = role(fields, Role.ADMIN);
        String bound = boundTenant(fields, null);
        Instant expires = fields.end("expires", now);
        if (draft.isPrefixTaken(item.prefix())) {
            throw bad(taken(item.prefix()));
        }
        var key =
                new AdminKey(item.id(), name, item.prefix(), item.hash(), KeyStatus.ACTIVE, now, role, bound, expires);
        draft.put(key);
        return AdminKeyBody.of(key, null);
    }

    private Object updateAdminKey(UUID id, RequestFields item) throws BadInputException {
        AdminKey before = existing(draft.adminKey(id), NO_KEY);
        String name = text(item, "name", before.name());
        String word = item.word("status", List.of("active", "inactive"));
        KeyStatus status =
                word == null ? before.status() : word.equals("active") ? KeyStatus.ACTIVE : KeyStatus.INACTIVE;
        AdminKey key = Records.with(
                before,
                "name",
                name,
                "status",
                status,
                "role",
                role(item, before.role()),
                "tenant",
                boundTenant(item, before.tenant()));
        if (!key.managesKeys()) {
            expectNotLast(
                    before,
                    !key.isActive() ? "revoked" : key.tenant() == null ? "given another role" : "bound to a tenant");
        }
        draft.put(key);
        return AdminKeyBody.of(key, current.lastUsed(id));
    }

    private UUID deleteAdminKey(UUID id) throws BadInputException {
        AdminKey key = existing(draft.adminKey(id), NO_KEY);
        expectNotLast(key, "deleted");
        draft.deleteKey(key, id);
        if (key.isStartKey()) {
            draft.put(Records.with(key, "status", KeyStatus.DELETED));
        }
        return id;
    }

    private EditResult rotate(AccessEdit.RotateAdminKey rotate) {
        AdminKey before = draft.adminKey(rotate.id());
        if (before == null) {
            return result(404, new ErrorBody(NO_KEY));
        }
        if (draft.isPrefixTaken(rotate.prefix())) {
            return result(422, new ErrorBody(taken(rotate.prefix())));
        }
        draft.put(Records.with(before, "prefix", rotate.prefix(), "hash", rotate.hash()));
        return result(200, new RotatedKeyBody(before.id(), rotate.prefix()));
    }

    /** Registers a start key, unless it is known: a revoked key must not return with the next start. */
    private EditResult register(String prefix, String hash) {
        UUID id = AccessRecord.startKeyId(hash);
        if (!current.isKnownStartKey(hash)) {
            if (draft.isPrefixTaken(prefix)) {
                return result(422, new ErrorBody(taken(prefix)));
            }
            draft.put(new AdminKey(id, START_KEY_NAME, prefix, hash, KeyStatus.ACTIVE, now));
        }
        return result(200, Map.of("id", id));
    }

    private static Role role(RequestFields item, Role otherwise) throws BadInputException {
        String word = item.word("role", Role.words());
        return word == null ? otherwise : Role.of(word);
    }

    /** The tenant that a key is bound to; null: none. @param before the one so far, which need not be active any more */
    private @Nullable String boundTenant(RequestFields item, @Nullable String before) throws BadInputException {
        String customerId = text(item, "tenant", "");
        if (customerId.isEmpty()) {
            return item.isGiven("tenant") ? null : before;
        }
        if (customerId.equals(before)) {
            return before;
        }
        if (!current.isMultiTenant()) {
            throw item.bad("tenant", "must be null: multi-tenancy is off");
        }
        if (current.activeTenant(customerId) == null) {
            throw item.bad(
                    "tenant",
                    "is '" + UnicodeText.cut(customerId, MAX_SHOWN)
                            + "', must be null or the customerId of an active tenant");
        }
        return customerId;
    }

    /** Somebody must be able to create keys. */
    private void expectNotLast(AdminKey key, String verb) throws BadInputException {
        if (key.managesKeys() && !draft.hasOtherKeyToManageKeys(key.id())) {
            throw bad("The last active key that has the role admin, is bound to no tenant and has no end cannot be "
                    + verb);
        }
    }

    // Application keys.

    private UUID deleteApplicationKey(UUID id) throws BadInputException {
        if (SignedKey.isIdOfSigned(id)) {
            revoke(id);
            return id;
        }
        ApplicationKey key = draft.applicationKey(id);
        if (key == null || !key.tenant().equals(tenant)) {
            throw bad(NO_APPLICATION_KEY);
        }
        draft.deleteKey(key, id);
        return id;
    }

    /** The list of the user's keys, which the gateway changes next, says whether there is such a key. */
    private void revoke(UUID id) throws BadInputException {
        if (!SignedKey.isIssued(id, tenant, current.signers())) {
            throw bad(NO_APPLICATION_KEY);
        }
        draft.put(new RevokedKey(id));
        current.expiredRevocations(now.atOffset(ZoneOffset.UTC).toLocalDate().toEpochDay(), MAX_EXPIRED)
                .forEach(draft::deleteRevocation);
    }

    // Tenants.

    private Object createTenant(NewItem item) throws BadInputException {
        RequestFields fields = RequestFields.of(item.fields());
        String customerId = newCustomerId(fields);
        String name = requiredText(fields, "name");
        if (draft.isCustomerIdTaken(customerId)) {
            throw bad("customerId already in use by another tenant");
        }
        var created = new Tenant(item.id(), customerId, name, TenantStatus.ACTIVE, now, now);
        draft.put(created);
        return TenantBody.of(created);
    }

    /** The customer id of a tenant to be made. Stored ones may be any text, since earlier versions did not check it. */
    private static String newCustomerId(RequestFields fields) throws BadInputException {
        String customerId = requiredText(fields, "customerId");
        String problem = HeaderText.problemWith(customerId);
        if (problem != null) {
            throw fields.bad("customerId", problem + ": requests name the tenant in the header Tenant-ID");
        }
        return customerId;
    }

    private Object updateTenant(UUID id, RequestFields item) throws BadInputException {
        Tenant before = existing(draft.tenant(id), NO_TENANT);
        String name = text(item, "name", before.name());
        if (!text(item, "customerId", before.customerId()).equals(before.customerId())) {
            throw bad("customerId cannot be changed: everything the tenant has is kept under it");
        }
        if (name.equals(before.name())) {
            return TenantBody.of(before);
        }
        Tenant changed = Records.with(before, "name", name, "updated", now);
        draft.put(changed);
        return TenantBody.of(changed);
    }

    private UUID archiveTenant(UUID id) throws BadInputException {
        Tenant before = existing(draft.tenant(id), NO_TENANT);
        if (before.isActive()) {
            draft.put(Records.with(before, "status", TenantStatus.ARCHIVED, "updated", now));
        }
        return id;
    }

    private EditResult multiTenancy(boolean enabled, @Nullable Object firstTenant) {
        try {
            setMultiTenancy(
                    enabled,
                    firstTenant == null
                            ? null
                            : RequestFields.of(Map.of("firstTenant", firstTenant))
                                    .requiredObject("firstTenant"));
            return result(200, ObjectBodies.ofInstance(draft));
        } catch (BadInputException e) {
            return EditResult.answer(422, new ErrorBody(e.refusal().message()));
        }
    }

    /**
     * Switches multi-tenancy on or off (docs/admin-api.md A8). No data may become unreachable by it.
     *
     * @param enabled null: no change
     * @param firstTenant the tenant that gets the data without a tenant; null: none
     * @throws BadInputException if data would become unreachable, or the first tenant is not possible
     */
    void setMultiTenancy(@Nullable Boolean enabled, @Nullable RequestFields firstTenant) throws BadInputException {
        if (firstTenant != null && !Boolean.TRUE.equals(enabled)) {
            throw bad("firstTenant needs multiTenancyEnabled: true");
        }
        if (enabled == null) {
            return;
        }
        String before = current.firstTenant();
        String first = firstTenant == null ? before : adopted(firstTenant, before);
        if (enabled && !draft.isMultiTenant() && hasData && first == null) {
            throw bad(UNREACHABLE);
        }
        if (!enabled
                && draft.isMultiTenant()
                && current.tenants().stream()
                        .anyMatch(
                                other -> other.isActive() && !other.customerId().equals(first))) {
            throw bad("multiTenancyEnabled cannot be switched off while tenants are"
                    + " active whose data could not be reached then; archive them first");
        }
        if (enabled != draft.isMultiTenant() || !Objects.equals(first, before)) {
            draft.put(new Instance(enabled, first));
        }
    }

    private String adopted(RequestFields fields, @Nullable String before) throws BadInputException {
        String customerId = before == null ? newCustomerId(fields) : requiredText(fields, "customerId");
        String name = text(fields, "name", customerId);
        if (before != null && !before.equals(customerId)) {
            throw fields.bad("customerId", "cannot change: the data without a tenant belong to '" + before + "'");
        }
        if (before == null) {
            if (draft.isCustomerIdTaken(customerId)) {
                throw fields.bad("customerId", "is in use by a tenant with data of its own");
            }
            var id = UUID.nameUUIDFromBytes(("laurel-first-tenant/" + customerId).getBytes(UTF_8));
            draft.put(new Tenant(id, customerId, name, TenantStatus.ACTIVE, now, now));
        }
        return customerId;
    }

    // Fields.

    private static String requiredText(RequestFields item, String field) throws BadInputException {
        item.require(field);
        return text(item, field, "");
    }

    /** Reads a text of 1 to 255 characters. @param otherwise the default of an absent field */
    private static String text(RequestFields item, String field, String otherwise) throws BadInputException {
        String text = item.text(field);
        if (text == null) {
            return otherwise;
        }
        if (text.isEmpty() || text.length() > MAX_TEXT) {
            throw item.bad(field, "must have 1 to " + MAX_TEXT + " characters");
        }
        return text;
    }

    /** Words the conflict of two prefixes, which is likely only if a person chose a start key. */
    private static String taken(String prefix) {
        return "The prefix " + prefix + " belongs to another key already; try again with another";
    }

    private static <T> T existing(@Nullable T found, String problem) throws BadInputException {
        if (found == null) {
            throw bad(problem);
        }
        return found;
    }

    private static BadInputException bad(String message) {
        return BadInputException.invalid(message);
    }
}
