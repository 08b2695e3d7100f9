package dev.stoker.s3;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.MissingResourceException;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads the small XML documents that the storage answers with. Nothing outside of them is ever looked at. */
final class Xml {
    private static final XMLInputFactory FACTORY = factory();

    private Xml() {}

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        return factory;
    }

    /** Takes the elements that hold text, each with the element around it. */
    interface Visitor {
        void text(String parent, String name, String text);

        /** The element ends that holds others. */
        default void end(String name) {}
    }

    static void read(InputStream in, Visitor visitor) throws IOException {
        try {
            // Decoded here: the parser prints bytes that are no UTF-8 to the terminal.
            XMLStreamReader xml = FACTORY.createXMLStreamReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            var names = new java.util.ArrayDeque<String>();
            var text = new StringBuilder();
            boolean isLeaf = false;
            while (xml.hasNext()) {
                switch (xml.next()) {
                    case XMLStreamConstants.START_ELEMENT -> {
                        names.push(xml.getLocalName());
                        text.setLength(0);
                        isLeaf = true;
                    }
                    case XMLStreamConstants.CHARACTERS -> text.append(xml.getText());
                    case XMLStreamConstants.END_ELEMENT -> {
                        String name = names.pop();
                        if (isLeaf) {
                            visitor.text(names.isEmpty() ? "" : names.peek(), name, text.toString());
                        } else {
                            visitor.end(name);
                        }
                        isLeaf = false;
                    }
                    default -> {}
                }
            }
        } catch (XMLStreamException | MissingResourceException e) { // the JDK has no words for an odd document type
            throw new IOException("the answer is not XML", e);
        }
    }

    /** All texts by the names of their elements; the first of each name counts. */
    static Map<String, String> texts(InputStream in) throws IOException {
        var texts = new HashMap<String, String>();
        read(in, (parent, name, text) -> texts.putIfAbsent(name, text));
        return texts;
    }
}
