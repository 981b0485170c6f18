package io.angarium.server.settings;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The calls of dtm for messages. Immutable.
 *
 * @param enabled whether they are answered
 * @param business the business id of the half messages that they make; dtm has none
 */
public record DtmProperties(
    @DefaultValue("false") boolean enabled, @DefaultValue("dtm") String business) {}
