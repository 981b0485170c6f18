package io.angarium.testkit.tck;

/** The contract of {@link io.angarium.desk.MessageBrowser}. Part of {@link DeskTck}. */
public interface MessageBrowserTck
    extends MessageSearchTck,
        MessageFilterTck,
        MessageCursorTck,
        MessageFindTck,
        KeyViewTck,
        DeskViewTck {}
