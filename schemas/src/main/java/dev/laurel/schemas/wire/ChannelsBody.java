package dev.laurel.schemas.wire;

/** admin-api.md B4. Of what is secret, only whether it is there. */
public record ChannelsBody(EmailBody email, PushBody push) {

    public record EmailBody(String from, String fromName, String replyTo, boolean smtpConfigured) {}

    public record PushBody(ServiceBody apns, ServiceBody fcm, ServiceBody expo) {}

    public record ServiceBody(boolean configured) {}
}
