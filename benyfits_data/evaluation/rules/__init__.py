"""From policy to code: programs that models write from a text, judged by proof."""
