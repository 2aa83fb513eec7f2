"""What turns an intent into proposed calls: the rules of the language, canned answers, or a model. A proposal is no more than goals."""
