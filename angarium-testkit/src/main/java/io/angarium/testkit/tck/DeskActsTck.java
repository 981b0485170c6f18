package io.angarium.testkit.tck;

/**
 * The contract of {@link io.angarium.desk.MessageActs} and {@link io.angarium.desk.AuditLog}. Needs
 * no {@link io.angarium.desk.MessageBrowser}. Part of {@link DeskTck}.
 */
public interface DeskActsTck
    extends ActAuditTck, MessageActsTck, RestoreTck, CorrectActTck, AuditLogTck {}
