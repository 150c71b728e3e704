package dev.laurel.schemas.admin;

import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Notifications.Sender;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetSource.ChannelsSource;
import dev.laurel.schemas.ruleset.RulesetSource.EmailSource;
import dev.laurel.schemas.ruleset.ServerAddress;
import dev.laurel.schemas.wire.ChannelsBody;
import dev.laurel.schemas.wire.ChannelsBody.EmailBody;
import dev.laurel.schemas.wire.ChannelsBody.PushBody;
import dev.laurel.schemas.wire.ChannelsBody.ServiceBody;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/**
 * How messages leave (admin-api.md B4, {@code /notifications/channels}). Whom they are from is part of the ruleset; what opens
 * the services that carry them is secret, kept beside it, and only ever said to be there. No message of ours repeats one.
 */
final class ChannelsForm implements SettingsForm {

    private static final int MAX_SHORT = 255;
    private static final int MAX_LONG = 20_000;

    /** @param name of the secret, with that of its field at the end */
    private record Kept(String name, int maxLength) {

        String field() {
            return name.substring(name.lastIndexOf('.') + 1);
        }
    }

    private static final Kept SMTP = new Kept(Secret.SMTP_URL, 2000);
    private static final List<Kept> APNS = List.of(new Kept(AppleKey.SIGNING_KEY, MAX_LONG),
            new Kept(AppleKey.TEAM_ID, MAX_SHORT), new Kept(AppleKey.KEY_ID, MAX_SHORT),
            new Kept(AppleKey.BUNDLE_ID, MAX_SHORT));
    private static final Kept SERVICE_ACCOUNT = new Kept(ServiceAccountKey.FIELD, MAX_LONG);
    private static final List<Kept> FCM = List.of(SERVICE_ACCOUNT);
    private static final List<Kept> EXPO = List.of(new Kept("expo.token", 2000));

    @Override
    public void patch(SourceDraft draft, AccessDraft access, Item item) throws BadInputException {
        Item email = item.object("email");
        if (email != null) {
            email(draft, email);
            keep(access, draft.base.tenant(), email, SMTP);
        }
        Item push = item.object("push");
        if (push != null) {
            service(access, draft.base.tenant(), push, "apns", APNS);
            service(access, draft.base.tenant(), push, "fcm", FCM);
            service(access, draft.base.tenant(), push, "expo", EXPO);
        }
    }

    private static void email(SourceDraft draft, Item email) throws BadInputException {
        EmailSource before = draft.channels == null || draft.channels.email() == null
                ? new EmailSource(null, null, null)
                : draft.channels.email();
        draft.channels = new ChannelsSource(new EmailSource(SharedFields.clearable(email, "from", before.from()),
                SharedFields.clearable(email, "fromName", before.fromName()),
                SharedFields.clearable(email, "replyTo", before.replyTo())));
        String url = email.text(SMTP.field());
        if (url != null && !isSmtp(url)) {
            throw email.bad(SMTP.field(), "must be an address such as smtps://user:password@mail.example.net:465");
        }
    }

    private static boolean isSmtp(String url) {
        try {
            var uri = new URI(url);
            return ServerAddress.isIn(uri)
                    && ("smtp".equalsIgnoreCase(uri.getScheme()) || "smtps".equalsIgnoreCase(uri.getScheme()));
        } catch (URISyntaxException _) {
            return false;
        }
    }

    /** Null takes all secrets of the service away. */
    private static void service(AccessDraft access, TenantId tenant, Item push, String name, List<Kept> secrets)
            throws BadInputException {
        if (push.isNull(name)) {
            secrets.forEach(kept -> access.deleteSecret(tenant, Secret.CHANNELS, kept.name()));
        }
        Item service = push.object(name);
        if (service != null) {
            for (Kept kept : secrets) {
                keep(access, tenant, service, kept);
            }
        }
    }

    private static void keep(AccessDraft access, TenantId tenant, Item item, Kept kept) throws BadInputException {
        if (item.isNull(kept.field())) {
            access.deleteSecret(tenant, Secret.CHANNELS, kept.name());
        }
        // A service account is handed out as a file of JSON: it may be given as that text, or as the object that it is.
        String value = kept.equals(SERVICE_ACCOUNT) ? item.textOrObject(kept.field()) : item.text(kept.field());
        if (value == null) {
            return;
        }
        if (value.isBlank() || value.length() > kept.maxLength()) {
            throw item.bad(kept.field(), "must have 1 to " + kept.maxLength() + " characters");
        }
        expectUsable(kept, value);
        if (!value.equals(access.secret(tenant, Secret.CHANNELS, kept.name()))) {
            access.put(new Secret(tenant, Secret.CHANNELS, kept.name(), value));
        }
    }

    /** What could not be used when a message is to go out is refused now, when somebody looks. */
    private static void expectUsable(Kept kept, String value) throws BadInputException {
        try {
            switch (kept.name()) {
                case AppleKey.SIGNING_KEY -> AppleKey.key(value);
                case AppleKey.TEAM_ID, AppleKey.KEY_ID, AppleKey.BUNDLE_ID -> AppleKey.id(kept.name(), value);
                case ServiceAccountKey.FIELD -> ServiceAccountKey.read(value);
                default -> {
                    // An address of a mail server has been looked at, and a token may be anything.
                }
            }
        } catch (BadInputException e) {
            throw new BadInputException(Refusal.invalid("push." + e.refusal().message()));
        }
    }

    @Override
    public String place() {
        return "/notifications/channels";
    }

    @Override
    public ChannelsBody body(Ruleset ruleset, AccessDraft access) {
        Sender sender = ruleset.notifications().sender();
        TenantId tenant = ruleset.tenant();
        return new ChannelsBody(
                new EmailBody(sender.from(), sender.fromName(), sender.replyTo(),
                        isThere(access, tenant, List.of(SMTP))),
                new PushBody(new ServiceBody(isThere(access, tenant, APNS)),
                        new ServiceBody(isThere(access, tenant, FCM)),
                        new ServiceBody(isThere(access, tenant, EXPO))));
    }

    private static boolean isThere(AccessDraft access, TenantId tenant, List<Kept> secrets) {
        return secrets.stream().allMatch(kept -> access.secret(tenant, Secret.CHANNELS, kept.name()) != null);
    }
}
